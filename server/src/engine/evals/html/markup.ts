/**
 * Markup that is safe by construction: whatever is put into a template is text, unless it is markup made here. There is no
 * way to put text into a tag's name, a style or a script.
 */

/** A piece of markup. Only {@link html} makes them. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Value = string | number | Html | readonly Value[] | null;

/** Markup with values in it: texts and numbers escaped, null and empty lists as nothing. */
export function html(literals: TemplateStringsArray, ...values: readonly Value[]): Html {
  let markup = literals[0] ?? '';
  for (const [i, value] of values.entries()) markup += print(value) + (literals[i + 1] ?? '');
  return new Html(markup);
}

function print(value: Value): string {
  if (value === null) return '';
  if (value instanceof Html) return value.markup;
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? escapeText(value) : value.map(print).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Text for between tags or inside of a quoted attribute. Control characters that HTML does not allow, and halves of
 * surrogate pairs, are shown as the replacement character.
 */
function escapeText(text: string): string {
  return (
    text
      .replace(/[&<>"']/g, (char) => entities[char] ?? '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|\p{Cs}/gu, '\ufffd')
  );
}
