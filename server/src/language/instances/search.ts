/** Workspace symbols: entities and sections of all open instances by a few letters of their names. */
import type { CancellationToken } from 'vscode-jsonrpc';
import { type Location, SymbolInformation, SymbolKind } from 'vscode-languageserver-types';
import { NONE } from '../../engine/environments/links.ts';
import { roleInQuestion } from './marks.ts';
import { rangeOf } from './mentions.ts';
import type { InstanceModel } from './models.ts';

/** More than anybody scrolls through; the editor asks again with every letter. */
const MOST = 200;

interface Candidate {
  readonly score: number;
  readonly symbol: () => SymbolInformation;
}

/**
 * The best matches of `query`, whose letters must all occur in the name in their order. Sections only for an empty query.
 */
export function instanceSearch(
  models: Iterable<InstanceModel>,
  query: string,
  spoilers: boolean,
  token: CancellationToken,
): SymbolInformation[] {
  const wanted = query.toLowerCase().replace(/\s+/g, ' ').trim();
  const found: Candidate[] = [];
  for (const model of models) {
    if (token.isCancellationRequested) return [];
    found.push(...sections(model, wanted), ...(wanted === '' ? [] : entities(model, wanted, spoilers)));
  }
  found.sort((a, b) => a.score - b.score); // stable: otherwise in the order of the documents
  return found.slice(0, MOST).map(({ symbol }) => symbol());
}

function sections(model: InstanceModel, wanted: string): Candidate[] {
  return model.view.parts.flatMap((part) => {
    const score = scoreOf(part.name, wanted);
    if (score === undefined) return [];
    const kind = part.kind === 'heading' ? SymbolKind.File : SymbolKind.Class;
    const place = { start: part.nameStart, end: part.nameEnd };
    return [
      {
        score,
        symbol: () => symbolAt(model, part.name, kind, place, part.kind === 'heading' ? '' : part.detail),
      },
    ];
  });
}

function entities(model: InstanceModel, wanted: string, spoilers: boolean): Candidate[] {
  return model.links.entities.flatMap(({ name, type, chunk, start }, index) => {
    if (chunk === NONE) return [];
    const score = scoreOf(name, wanted);
    if (score === undefined) return [];
    const symbol = () => {
      const role = spoilers ? roleInQuestion(model, index) : '';
      const about = [
        type,
        `${model.links.chunkName ?? 'chunk'} ${chunk}`,
        ...(role === '' ? [] : [role]),
      ].join(', ');
      return symbolAt(model, name, SymbolKind.Field, { start, end: start + name.length }, about);
    };
    return [{ score, symbol }];
  });
}

function symbolAt(
  model: InstanceModel,
  name: string,
  kind: SymbolKind,
  place: { start: number; end: number },
  about: string,
): SymbolInformation {
  const location: Location = { uri: model.document.uri, range: rangeOf(model, place) };
  const container = about === '' ? model.environment.title : `${about} · ${model.id}`;
  return SymbolInformation.create(name, kind, location.range, location.uri, container);
}

/** Lower is better: at the beginning, at the beginning of a word, inside, scattered. Undefined when it does not match. */
function scoreOf(name: string, wanted: string): number | undefined {
  const text = name.toLowerCase();
  const at = text.indexOf(wanted);
  if (at === 0) return 0;
  if (at > 0) return text.charAt(at - 1) === ' ' ? 1 : 2;
  let from = 0;
  for (const letter of wanted) {
    from = text.indexOf(letter, from) + 1;
    if (from === 0) return undefined;
  }
  return 3;
}
