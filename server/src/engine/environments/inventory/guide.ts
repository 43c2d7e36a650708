import { grouped } from '../../text/numbers.ts';
import { mostCarried } from './answer.ts';

/** What the environment measures, for its documentation page. */
export const guide = `Whether a prompt makes an agent without memory carry a list through many turns: find the few tags in a
chunk of noise, carry them out in order, and pass on everything that is held. Each turn is a fresh request of the chunk and
the list that the last reply reported; no earlier chunk and no earlier reply is in it.

It does not measure deciding what to read, since every chunk is shown, nor how to be brief, since nothing limits a reply.

### How it is scored

The last reply is worth 1 when it reports exactly what is held, and −1 otherwise; nothing lies between. One slip in an early
turn costs as much as many, so look at \`first_wrong_turn\` and at the causes beside the score: the cause of a failure is the
first slip that the last list still suffers from. Chances multiply: a prompt that gets each of ten turns right 95 times in a
hundred wins about six episodes in ten.

Items count whatever their order and the case of their letters. Commas, semicolons and line breaks separate them; bullets,
quotes and brackets around the whole list are taken off. An empty list, or \`empty\`, \`none\` or \`nothing\` alone, reports
that nothing is held. Text around the block does not matter. A reply without a complete block loses everything,
and so does a block of more than ${grouped(mostCarried.items)} items or ${grouped(mostCarried.characters)} characters, which no prompt could show again: its cause is
\`answer-too-long\`.

### What scripted agents score

\`carrier\` and \`oracle\` always win. \`append-only\` never does with three operations or more, because at least one of them
is then a DROP. \`silent\` never wins, \`empty\` only where everything was dropped, which an odd number of operations rules
out. \`last-chunk-only\`, which passes nothing on, wins one episode in eight under the published settings, where all that is
left was got in the last chunk: a score below −0.7 is no sign of a memory.
`;
