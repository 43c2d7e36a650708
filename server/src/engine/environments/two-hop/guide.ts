/** What a score in two-hop says, for the documentation page. */
import { hazards } from './hazards.ts';

export const guide = `
Each question speaks of an invented person and takes two hops: from the person to a thing that is theirs (the bridge entity), and
from that thing to what is asked of it. The second fact is about the world. The first one is not: a model knows it only if it was
trained on the facts that go with the data. The environment measures whether a model puts a trained fact and a known one together,
at once (\`nocot\`) or with reasoning written down (\`cot\`), and how well a prompt keeps it to the form that is asked for.

It does not measure reading, since nothing stands in the prompt to be read, nor knowledge of the world alone, nor how good an
explanation is: \`valid_cot\` looks for two names in their order and for nothing else.

### A model that was not trained for it

Such a model has no way to know the person, so whatever it scores comes from guessing a frequent answer. The column \`prior\`
stands beside every result: what always giving the relation's most frequent answer scores on the very same questions. That is 18
of the first 60 \`nocot\` questions (0.300) and 252 of all 1,380 (0.183), while published models without training had 13 or 14 of
those 60. A score below the prior says nothing about reasoning, and one a little above it hardly more. In \`nocot_shuffled\` the
answers are dealt out anew, so that not even the second fact is true: only a model trained on these very answers gets above.

### How a reply can score without an answer

\`correct\` asks whether the right answer stands anywhere in the reply, as a stretch of letters. So enumerating all answers is
correct every time; \`answer_spam\` shows it, and \`strict_answer\` refuses it: give it a weight to have the reward refuse it, too.
Some questions have hazards of their own, which \`hopscope inspect\` and the panel show:

${hazards.map(({ code, description }) => `- \`${code}\`: ${description}`).join('\n')}

### Where the questions come from

They are published without a licence and are no part of this program: \`hopscope data\` says how to get them. The order is that of
domains, relations and rows; the published paper left the domain \`observatories\` out.
`;
