/** A value from outside as it stands in a sentence; long ones are cut. */
export function show(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  const characters = [...text.slice(0, 200)];
  return characters.length > 60 ? `${characters.slice(0, 60).join('')}…` : text;
}
