/** Formats YAML: indentation, and blanks between things. Comments, order, quotes and meaning stay. */
import { type Document, isMap, parseDocument, visit, YAMLSeq } from 'yaml';

/** Longer texts are no front matter. */
const maxLength = 100_000;

/**
 * `yaml` formatted, with LF line breaks and one at its end. Null when it is no mapping, has errors or references, or
 * when formatting would not be safe: the result has the same data and the same comments, and formatting it again
 * changes nothing.
 */
export function formatYaml(yaml: string): string | null {
  if (yaml.length > maxLength) return null;
  try {
    const before = read(yaml);
    const formatted = before && print(before.document);
    if (!before || formatted === null) return null;
    const after = read(formatted);
    const isSafe = after?.facts === before.facts && print(after.document) === formatted;
    return isSafe ? formatted : null;
  } catch (cause) {
    // The library recurses into nested values and has no limit of its own.
    if (cause instanceof RangeError) return null;
    throw cause;
  }
}

interface Read {
  readonly document: Document.Parsed;
  /** Data and comments as one text, to be compared. */
  readonly facts: string;
}

function read(yaml: string): Read | null {
  const document = parseDocument(yaml.replace(/\r\n?/g, '\n'), {
    prettyErrors: false,
    logLevel: 'silent',
    uniqueKeys: false,
  });
  if (document.errors.length > 0 || document.warnings.length > 0 || !isMap(document.contents)) return null;
  const facts: unknown[] = [document.commentBefore, document.comment];
  let hasAlias = false;
  visit(document, {
    Alias: () => {
      hasAlias = true;
    },
    Node: (_, { commentBefore, comment }) => {
      facts.push(...[commentBefore, comment].filter(Boolean));
    },
    Scalar: (_, { value, tag, commentBefore, comment }) => {
      facts.push(typeof value, String(value), tag, ...[commentBefore, comment].filter(Boolean));
    },
  });
  return hasAlias ? null : { document, facts: JSON.stringify(facts) };
}

/** Blanks inside of braces, none inside of brackets. */
function print(document: Document.Parsed): string {
  visit(document, {
    Seq: (_, seq) => {
      seq.toString = (context, ...rest) =>
        YAMLSeq.prototype.toString.call(seq, context && { ...context, flowCollectionPadding: '' }, ...rest);
    },
  });
  return document.toString({ indent: 2, lineWidth: 0, flowCollectionPadding: true });
}
