/**
 * The documentation pages as documents of the editor, one for each environment:
 *
 *     hopscope:/docs/ENVIRONMENT.md
 */
import type { Location, Position } from 'vscode-languageserver-types';
import { type Documentation, documentation } from '../engine/environments/documentation.ts';
import type { Environment } from '../engine/environments/environment.ts';

/** Made once: what an environment publishes does not change. */
const pages = new WeakMap<Environment, Documentation>();

function pageOf(environment: Environment): Documentation {
  const page = pages.get(environment) ?? documentation(environment);
  pages.set(environment, page);
  return page;
}

function printDocumentationUri({ id }: Environment): string {
  return `hopscope:/docs/${encodeURIComponent(id)}.md`;
}

/** The text of the page at `uri`; null when the address is of something else. */
export function readDocumentationPage(uri: string, environments: readonly Environment[]): string | null {
  const environment = environments.find((it) => printDocumentationUri(it) === uri);
  return environment ? pageOf(environment).text : null;
}

/** Where the page explains `place`, as {@link Documentation.places} names it; its top for anything else. */
export function documentationLocation(environment: Environment, place: string): Location {
  const { text, places } = pageOf(environment);
  const at = places.get(place) ?? 0;
  const start = positionIn(text, at);
  const end = positionIn(text, Math.max(text.indexOf('\n', at), at));
  return { uri: printDocumentationUri(environment), range: { start, end } };
}

function positionIn(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}
