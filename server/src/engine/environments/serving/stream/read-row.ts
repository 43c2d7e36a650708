/** What rows of results say of an episode, read back. Files come from anywhere, so every part is checked. */
import * as v from 'valibot';
import type { Event, FinishReason } from '../../chat.ts';

const finishes = [
  'stop',
  'length',
  'tool_calls',
  'refusal',
  'context',
  'other',
] as const satisfies readonly FinishReason[];

const count = v.optional(v.number());
const usage = v.object({
  input: v.number(),
  output: v.number(),
  cachedInput: count,
  reasoning: count,
});

const turn = v.object({
  kind: v.string(),
  reason: v.optional(v.string()),
  /** Absent where no reply was given. */
  raw: v.optional(v.string()),
  reasoning: v.optional(v.string(), ''),
  tool_calls: v.optional(v.array(v.object({ id: v.string(), name: v.string(), arguments: v.string() })), []),
  finish_reason: v.fallback(v.nullable(v.picklist(finishes)), null),
  usage: v.fallback(v.nullable(usage), null),
});

type Row = Readonly<Record<string, unknown>>;

function turnsOf({ trace }: Row): readonly v.InferOutput<typeof turn>[] {
  if (!Array.isArray(trace)) return [];
  return trace.flatMap((it: unknown) => {
    const read = v.safeParse(turn, it);
    return read.success ? [read.output] : [];
  });
}

/** The replies of the agent, in order. What a judge said does not stand in rows. */
export function saidIn(row: Row): readonly Event[] {
  return turnsOf(row).flatMap(({ raw, reasoning, tool_calls, finish_reason, usage: used }): Event[] => {
    if (raw === undefined) return [];
    return [
      {
        kind: 'reply',
        text: raw,
        ...(reasoning === '' ? {} : { reasoning }),
        ...(tool_calls.length === 0 ? {} : { toolCalls: tool_calls }),
        ...(finish_reason === null ? {} : { finish: finish_reason }),
        ...(used === null
          ? {}
          : {
              usage: {
                input: used.input,
                output: used.output,
                ...(used.cachedInput === undefined ? {} : { cachedInput: used.cachedInput }),
                ...(used.reasoning === undefined ? {} : { reasoning: used.reasoning }),
              },
            }),
      },
    ];
  });
}

/** Why turns counted for nothing, one for each. */
export function invalidTurns(row: Row): readonly string[] {
  return turnsOf(row).flatMap(({ kind, reason }) => (kind === 'invalid' ? [reason ?? kind] : []));
}
