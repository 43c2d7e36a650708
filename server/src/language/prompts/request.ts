/** The request that a model would be sent at the previewed step, to be pasted elsewhere. */
import { chatRequest } from '../../engine/prompts/chat-request.ts';
import { toJson } from '../../engine/prompts/json.ts';
import type { PromptRequest } from '../../protocol.ts';
import { messagesOf, type PromptDocument } from './document.ts';
import type { Preview } from './previews.ts';

/** Where requests go when HOPSCOPE_BASE_URL does not say otherwise. */
const defaultAddress = 'https://api.openai.com/v1';

/** Without any key: the command takes it from HOPSCOPE_API_KEY when it runs. */
export function promptRequest(
  document: PromptDocument,
  { episode, state, observation }: Preview,
): PromptRequest {
  const { environment } = episode;
  const need = environment.next(state);
  const { model, sampling } = document.prompt;
  const body = chatRequest({
    model,
    messages: [...messagesOf(document, observation), ...environment.conversation(state)],
    sampling,
    tools: need.kind === 'reply' ? (need.tools ?? []) : [],
  });
  const json = `${toJson(body, 2)}\n`;
  return { json, curl: curlCommand(json), model };
}

/** The body comes on standard input: as an argument a long one would be refused. No line of JSON is the end mark. */
function curlCommand(json: string): string {
  return [
    `curl "\${HOPSCOPE_BASE_URL:-${defaultAddress}}/chat/completions" \\`,
    `  --header "Authorization: Bearer $HOPSCOPE_API_KEY" \\`,
    `  --header 'Content-Type: application/json' \\`,
    `  --data-binary @- <<'END_OF_REQUEST'`,
    `${json}END_OF_REQUEST`,
    '',
  ].join('\n');
}
