/** Random edits of a document, as editors send them: many small ones, now and then the whole text. */
import type { TextDocumentContentChangeEvent } from 'vscode-languageserver-textdocument';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Stream } from '../../server/src/engine/random/stream.ts';
import { hostile, type Subject } from './subjects.ts';

/** Texts that can be gone back to. */
const REMEMBERED = 20;

export class EditedDocument {
  readonly #subject: Subject;
  readonly #stream: Stream;
  readonly #past: string[] = [];
  /** Where the last edit was: most people go on there. */
  #last = 0;
  #document: TextDocument;
  readonly #longest: number;

  /** Opens one of the texts that the language begins with. */
  constructor(subject: Subject, stream: Stream) {
    this.#subject = subject;
    this.#stream = stream;
    const text = stream.pick(subject.beginnings);
    this.#document = TextDocument.create(subject.uri, subject.language, 1, text);
    this.#longest = text.length + subject.growth;
  }

  get document(): TextDocument {
    return this.#document;
  }

  get isTooLong(): boolean {
    return this.#document.getText().length > this.#longest;
  }

  edit(): void {
    const text = this.#document.getText();
    const change = this.#randomChange(text);
    this.#past.push(text);
    if (this.#past.length > REMEMBERED) this.#past.shift();
    this.#document = TextDocument.update(this.#document, [change], this.#document.version + 1);
  }

  #randomChange(text: string): TextDocumentContentChangeEvent {
    const stream = this.#stream;
    const kind = stream.below(100);
    if (kind < 8 && this.#past.length > 0) return { text: this.#past.pop() ?? '' };
    if (kind < 10)
      return { text: text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text.replace(/\n/g, '\r\n') };
    if (kind < 12) return { text: text.slice(0, this.#place(text)) };
    if (kind < 18) return this.#changeOfLines(text);
    const at = this.#place(text);
    const removed = stream.chance(0.4) ? stream.between(1, stream.chance(0.05) ? text.length : 12) : 0;
    const added = removed > 0 && stream.chance(0.5) ? '' : this.#piece(text);
    return this.#replace(at, Math.min(text.length, at + removed), added);
  }

  /** Doubles or takes away whole lines, or moves them elsewhere. */
  #changeOfLines(text: string): TextDocumentContentChangeEvent {
    const at = this.#place(text);
    const start = text.lastIndexOf('\n', at - 1) + 1;
    let end = start;
    for (let lines = this.#stream.between(1, 3); lines > 0; lines--) {
      const next = text.indexOf('\n', end);
      end = next < 0 ? text.length : next + 1;
    }
    const lines = text.slice(start, end);
    if (this.#stream.chance(0.4)) return this.#replace(start, end, '');
    const to = text.lastIndexOf('\n', this.#place(text)) + 1;
    return this.#replace(to, to, lines);
  }

  #replace(start: number, end: number, added: string): TextDocumentContentChangeEvent {
    this.#last = start + added.length;
    const range = { start: this.#document.positionAt(start), end: this.#document.positionAt(end) };
    return { range, text: added };
  }

  #piece(text: string): string {
    const stream = this.#stream;
    const kind = stream.below(10);
    if (kind < 6) return stream.pick(this.#subject.pieces);
    if (kind < 9) return stream.pick(hostile);
    const start = stream.between(0, text.length);
    return text.slice(start, start + stream.between(1, 200));
  }

  #place(text: string): number {
    const stream = this.#stream;
    if (stream.chance(0.3)) return Math.min(text.length, this.#last);
    const front = stream.chance(0.95) ? Math.max(0, text.indexOf(this.#subject.front)) : 0;
    const at = stream.between(front, text.length);
    const lineEnd = text.indexOf('\n', at);
    return lineEnd >= 0 && stream.chance(0.2) ? lineEnd : at;
  }
}
