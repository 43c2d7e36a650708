/** Two texts to be looked at side by side, for environments in which a reply is made from a text. */

export interface ComparedText {
  /** In a few words, e.g. `log`. */
  readonly title: string;
  readonly text: string;
}

/** Where both texts have a line, it reads the same in both, so that a comparison of lines shows what was left out and added. */
export interface ComparedTexts {
  readonly before: ComparedText;
  readonly after: ComparedText;
}
