/** The rendered prompt of a step, for the page that shows it: first its messages, then their sizes in a model's tokens. */
import type { LanguageClient } from 'vscode-languageclient/node';
import type { FromPage, ToPage } from '../../webview/episode/messages.ts';
import { ask } from '../language-client.ts';
import { messageOf } from './stepping.ts';

/** Never rejects: the page is told why there is none. */
export async function showPrompt(
  client: LanguageClient,
  session: string,
  { node, which }: Extract<FromPage, { kind: 'prompt' }>,
  post: (message: ToPage) => void,
): Promise<void> {
  try {
    const found = await ask(client, 'hopscope/episode/prompt', { session, node, which });
    const prompt = found.ok ? found.value : null;
    post({ kind: 'prompt', node, which, prompt, reason: found.ok ? '' : found.error });
    if (!found.ok) return;
    const tokens = await ask(client, 'hopscope/episode/promptTokens', { session, node, which });
    if (!tokens.ok || tokens.value.counts === null) return;
    const { tokenizer, counts } = tokens.value;
    post({ kind: 'promptTokens', node, which, tokenizer, counts });
  } catch (error) {
    post({ kind: 'prompt', node, which, prompt: null, reason: messageOf(error) });
  }
}
