/** What one does with a step prompt, above its first line. */
import type { CodeLens } from 'vscode-languageserver-types';
import type { DocumentSettings } from '../settings.ts';

/** Commands of the editor; each takes the address of the prompt. */
const lenses = ({ evalInstances }: DocumentSettings) => [
  { title: '$(open-preview) Preview', command: 'hopscope.previewPrompt' },
  { title: '$(debug-start) Step Episode', command: 'hopscope.stepEpisode' },
  { title: `$(play) Run Eval (${evalInstances})`, command: 'hopscope.runEval' },
];

export function promptCodeLenses(uri: string, settings: DocumentSettings): CodeLens[] {
  const start = { line: 0, character: 0 };
  return lenses(settings).map((command) => ({
    range: { start, end: start },
    command: { ...command, arguments: [uri] },
  }));
}
