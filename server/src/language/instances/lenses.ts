/** CodeLens of an instance document: what can be done with it, and the chain of evidence to walk along. */
import { type CodeLens, type Command, type Position, Range } from 'vscode-languageserver-types';
import { type LinkedHop, NONE } from '../../engine/environments/links.ts';
import type { InstanceModel } from './models.ts';

/** Lenses of the heading, and with spoilers one above the entry of every hop that leads to the next one. */
export function instanceLenses(model: InstanceModel, spoilers: boolean): CodeLens[] {
  const { chain, answer, linkName = 'hop' } = model.links;
  const top: Command[] = [];
  const first = chain[0];
  const last = chain.at(-1);
  if (spoilers && first && last) {
    top.push(
      jumpTo(model, first.nameMention, `${linkName} 1 of ${chain.length}: ${nameOf(model, first)}`),
      ...(answer === '' ? [] : [jumpTo(model, last.valueMention, `answer: ${answer}`)]),
    );
  }
  if (chain.length > 0) {
    const title = spoilers ? 'hide spoilers' : 'show spoilers';
    top.push({ title, command: 'hopscope.toggleSpoilers' });
  }
  top.push({
    title: 'compare with transcript…',
    command: 'hopscope.compareWithTranscript',
    arguments: [model.document.uri],
  });
  const lenses = top.map((command) => lensAt({ line: 0, character: 0 }, command));
  if (!spoilers) return lenses;
  chain.forEach((hop, index) => {
    const entry = model.links.entities[hop.entity];
    if (entry === undefined || entry.chunk === NONE) return;
    const at = model.document.positionAt(entry.start);
    lenses.push(lensAt(at, onward(model, hop, index)));
    const before = chain[index - 1];
    if (before) lenses.push(lensAt(at, jumpTo(model, before.nameMention, `← ${nameOf(model, before)}`)));
  });
  return lenses;
}

/** From hop `index` to the next one, from the last to the answer. */
function onward(model: InstanceModel, hop: LinkedHop, index: number): Command {
  const { chain, answer, linkName = 'hop', chunkName = 'chunk' } = model.links;
  const count = `${linkName} ${index + 1} of ${chain.length}`;
  const next = chain[index + 1];
  if (next === undefined && answer === '') return { title: count, command: '' };
  if (next === undefined) return jumpTo(model, hop.valueMention, `${count}, the answer: ${answer}`);
  return jumpTo(model, next.nameMention, `${count} → ${nameOf(model, next)}, ${chunkName} ${next.chunk}`);
}

function nameOf({ links }: InstanceModel, { entity }: LinkedHop): string {
  return links.entities[entity]?.name ?? '?';
}

/** A command that moves the editor to a mention; a mere title when the document does not have it. */
function jumpTo({ links, document }: InstanceModel, mention: number, title: string): Command {
  if (mention === NONE) return { title, command: '' };
  const { line, character } = document.positionAt(links.mentions.starts[mention] ?? 0);
  return { title, command: 'hopscope.reveal', arguments: [document.uri, line, character] };
}

function lensAt(position: Position, command: Command): CodeLens {
  return { range: Range.create(position, position), command };
}
