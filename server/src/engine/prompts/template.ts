/**
 * The tree of a template.
 *
 * The language is Mustache's variables, sections, inverted sections and comments:
 *
 *     QUESTION: {{question}}
 *     {{#held}}
 *     [{{id}}] {{text}}
 *     {{/held}}
 *     {{^held}}(nothing held){{/held}}
 *
 * `{{{name}}}` and `{{&name}}` are the same as `{{name}}`, because nothing is ever escaped. Lambdas, partials,
 * inheritance and changes of delimiter are left out.
 *
 * Every offset is a UTF-16 code unit of the file the template stands in, `end` exclusive.
 */

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A name inside a tag. `path` is empty for the implicit iterator `.`, and for a name that is not legal. */
export interface Name extends Range {
  readonly text: string;
  readonly path: readonly string[];
  readonly legal: boolean;
}

/** Literal text, as it is printed. The range leaves out what the standalone-line rule removes. */
export interface TextNode extends Range {
  readonly kind: 'text';
  readonly text: string;
}

/** `closed` is false when the closing braces are missing; such a tag ends with its line. */
export interface VariableNode extends Range {
  readonly kind: 'variable';
  readonly name: Name;
  readonly closed: boolean;
}

interface CommentNode extends Range {
  readonly kind: 'comment';
}

/** A tag of Mustache that this language leaves out. It prints nothing. */
interface UnsupportedNode extends Range {
  readonly kind: 'unsupported';
  readonly sigil: string;
}

/** The range runs from the opening tag to the end of the closing tag, or of the text when there is none. */
export interface SectionNode extends Range {
  readonly kind: 'section';
  /** `{{^name}}`: printed once when the value is false or empty. */
  readonly inverted: boolean;
  readonly name: Name;
  readonly open: Range;
  readonly close: (Range & { readonly name: Name }) | null;
  readonly children: readonly TemplateNode[];
}

export type TemplateNode = TextNode | VariableNode | CommentNode | UnsupportedNode | SectionNode;

export interface Template extends Range {
  readonly children: readonly TemplateNode[];
}

/** Sections may lie this deep in each other; deeper ones are reported, and their content is taken as if they were not there. */
export const maxDepth = 64;
