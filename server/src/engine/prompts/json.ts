/** JSON that survives an editor. */

/** Characters that JSON leaves as they are and that an editor may change, drop or warn of. */
const unsafe = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

/** `value` as JSON with such characters escaped; `indent` in blanks, 0 for one line. What is not JSON is null. */
export function toJson(value: unknown, indent = 0): string {
  const json: string | undefined = JSON.stringify(value, null, indent);
  return (json ?? 'null').replace(unsafe, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
