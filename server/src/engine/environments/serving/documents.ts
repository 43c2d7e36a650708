/** The documents that an agent can read: what is stated, which is not all that holds. */

export interface Document {
  readonly id: string;
  readonly title: string;
  readonly sections: readonly { readonly name: string; readonly text: string }[];
}

/** The list that a prompt shows: every document with its sections. */
export function documentIndex(documents: readonly Document[]): string {
  return documents
    .map(({ id, title, sections }) => `- ${id}: ${title} (${sections.map(({ name }) => name).join(', ')})`)
    .join('\n');
}

/** What reading gives; null when there is no such document or section. */
export function readDocument(documents: readonly Document[], id: string, section: string): string | null {
  const document = documents.find((it) => it.id === id.trim());
  if (document === undefined) return null;
  const wanted = section.trim();
  const sections = document.sections.filter(({ name }) => wanted === '' || name === wanted);
  if (sections.length === 0) return null;
  return [`# ${document.title}`, ...sections.map(({ name, text }) => `## ${name}\n${text}`)].join('\n\n');
}
