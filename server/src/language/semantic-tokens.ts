/**
 * Semantic tokens: the one legend of all our languages, and their encoding. The types and modifiers that are our own
 * are declared in package.json, with the scopes by which themes colour them.
 */
import type { TextDocument } from 'vscode-languageserver-textdocument';

/** In the order of their numbers. */
const TOKEN_TYPES = ['entity', 'value'] as const;

/** In the order of their bits. */
const TOKEN_MODIFIERS = ['declaration', 'evidence', 'superseded', 'nearMiss', 'answer'] as const;

/** As the server announces it. */
export const TOKEN_LEGEND = { tokenTypes: [...TOKEN_TYPES], tokenModifiers: [...TOKEN_MODIFIERS] };

type TokenType = (typeof TOKEN_TYPES)[number];
type TokenModifier = (typeof TOKEN_MODIFIERS)[number];

const typeNumbers = new Map<TokenType, number>(TOKEN_TYPES.map((type, number) => [type, number]));

/** The modifiers as one number. */
export function modifierBits(modifiers: readonly TokenModifier[]): number {
  return modifiers.reduce((bits, modifier) => bits | (1 << TOKEN_MODIFIERS.indexOf(modifier)), 0);
}

/** Collects the tokens of a document in text order; each lies on one line. */
export class TokenEncoder {
  readonly #document: TextDocument;
  readonly #numbers: number[] = [];
  /** Line of the last token and the offsets of that line; most tokens share theirs with the one before. */
  #line = 0;
  #lineStart = 0;
  #lineEnd = -1;
  #character = 0;

  constructor(document: TextDocument) {
    this.#document = document;
  }

  /** Adds the token from offset `start` to `end`. */
  add(start: number, end: number, type: TokenType, modifiers: number): void {
    const before = this.#line;
    if (start >= this.#lineEnd) this.#moveTo(start);
    const moved = this.#line - before;
    const character = start - this.#lineStart;
    const column = moved === 0 ? character - this.#character : character;
    this.#numbers.push(moved, column, end - start, typeNumbers.get(type) ?? 0, modifiers);
    this.#character = character;
  }

  #moveTo(offset: number): void {
    const { line, character } = this.#document.positionAt(offset);
    this.#line = line;
    this.#lineStart = offset - character;
    this.#lineEnd = this.#document.offsetAt({ line: line + 1, character: 0 });
  }

  /** Five numbers a token, as the protocol has them. */
  encode(): number[] {
    return this.#numbers;
  }
}
