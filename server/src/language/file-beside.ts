/** Files that a document names by a path. */

/**
 * The address of the file at `path`, relative to the document at `uri`.
 *
 * @returns undefined for a document without a folder, such as an untitled one, and for a path that leads to another
 *   machine: merely opening a document must not speak to one.
 */
export function fileBeside(uri: string, path: string): string | undefined {
  const encoded = path.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  if (encoded === '' || encoded.startsWith('//')) return undefined;
  try {
    return new URL(encoded, uri).href;
  } catch {
    return undefined;
  }
}
