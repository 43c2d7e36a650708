import { type Reply, reply } from '../../chat.ts';

/** A reply in the form that the shipped prompts ask for: one line of reasons, one line of action. */
export function say(thought: string, action: string): Reply {
  return reply(`THOUGHT: ${thought}\nACTION: ${action}`);
}
