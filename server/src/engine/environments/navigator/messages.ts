/**
 * The words around an observation that a model reads. They stand in `prompts/navigator/messages.json`, as all
 * text a model reads stands in `prompts/`; here their slots, such as `{id}`, are filled.
 */
import texts from '../../../../../prompts/navigator/messages.json' with { type: 'json' };
import type { StepError } from './state.ts';

type Slots = Readonly<Record<string, string | number>>;
type Message = (slots: Slots) => string;

const slot = /\{(\w+)\}/;

/** Splits a text at its slots once, so that filling them is one pass that never looks into what is filled in. */
function message(text: string): Message {
  const [first = '', ...rest] = text.split(slot);
  const pairs = rest.flatMap((name, i) => (i % 2 === 0 ? [{ name, after: rest[i + 1] ?? '' }] : []));
  return (slots) => {
    let result = first;
    for (const { name, after } of pairs) result += (slots[name] ?? '') + after;
    return result;
  };
}

export const mapMessages = { chunk: message(texts.map.chunk), noise: message(texts.map.noise) };

export const heldMessages = {
  chunk: message(texts.held.chunk),
  summary: message(texts.held.summary),
  empty: texts.held.empty,
};

export const ledgerMessages = {
  read: message(texts.ledger.read),
  dropped: message(texts.ledger.dropped),
  compressed: message(texts.ledger.compressed),
  last: message(texts.ledger.last),
  worked: message(texts.ledger.worked),
  failed: message(texts.ledger.failed),
  note: message(texts.ledger.note),
  none: texts.ledger.none,
  blank: texts.ledger.blank,
};

/** So many ids are named in a message; a reply may hold millions. */
const namedIds = 10;

/** What a failed step's error tells the agent, in one or two sentences. */
export function errorMessage(error: StepError): string {
  switch (error.code) {
    case 'invalid-action':
      return texts.errors[error.reason];
    case 'not-held': {
      const ids = error.ids.slice(0, namedIds).join(', ');
      return message(texts.errors[error.code])({ ids: error.ids.length > namedIds ? `${ids}, …` : ids });
    }
    case 'ceiling-exceeded': {
      const total = error.used - error.freed + error.added;
      return message(texts.errors[error.code])({ total, ceiling: error.ceiling });
    }
    default:
      return message(texts.errors[error.code])({ id: error.id });
  }
}
