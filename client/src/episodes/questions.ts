/** What a page asks to show more of what is there: nothing of the session is changed by it. */
import type { LanguageClient } from 'vscode-languageclient/node';
import type { FromPage, ToPage } from '../../webview/episode/messages.ts';
import { showPrompt } from './rendered.ts';
import type { SessionLink } from './session-link.ts';

export type Question = Extract<FromPage, { kind: 'prompt' | 'text' | 'help' | 'compare' }>;

/** Answers it, if there is an answer: what could not be had is told by `link`. */
export async function answerQuestion(
  question: Question,
  { client, link, session }: { client: LanguageClient; link: SessionLink; session: string },
  post: (message: ToPage) => void,
): Promise<void> {
  switch (question.kind) {
    case 'prompt':
      return showPrompt(client, session, question, post);
    case 'text': {
      const { node, what, from } = question;
      const portion = await link.text(node, what, from);
      if (portion) post({ kind: 'text', node, what, from, portion });
      return;
    }
    case 'help': {
      const { round, text, offset } = question;
      const help = await link.help(text, offset);
      if (help) post({ kind: 'help', round, help });
      return;
    }
    case 'compare': {
      const { left, right } = question;
      const comparison = await link.compare(left, right);
      if (comparison) post({ kind: 'compared', left, right, comparison });
      return;
    }
  }
}
