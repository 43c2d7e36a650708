/** The text of the documentation page: what is measured, how streams are run, and how a method is written. */
import { methodGuide } from './method-guide.ts';

export const guide = `
An agent with tools serves a stream of tasks: orders of a shop, cases of a bank, pitches to customers. Documents say what the
rules are, but some rules in force are written down nowhere, and they change from window to window. Can a *method* learn them
from scored episodes, notice that they changed, and leave alone what the documents still answer?

### Tasks and slices

Each scenario (three domains, three tiers) is a stream of windows. A window has serving tasks, from which a method may learn, and
test tasks, which it never sees. The *adapt* slice holds tasks on which a perfect reader of the documents is wrong; *general*
those on which it is right; *reopen* those about a rule that is as documented again. Category \`hidden\` is the adapt slice and all
pitches, \`fully_specified\` the rest. Serving and test tasks share rules, and no customer, order, case, account, merchant,
product on offer, or wording.

### Episodes

Every reply makes exactly one call. Replies without one, with several, with an unknown tool or with arguments that do not fit
count for nothing and are answered by what is wrong. \`finish\` ends the episode; it is not accepted with fields that are missing,
unknown, empty or full of template markup. There are 50 tool calls, 100 replies and 256,000 output tokens; a conversation that
outgrows the model ends the episode as it stands. Shop and bank are scored by the database at the end and by what \`finish\` says:
1 or 0. Tools enforce mechanical and documented rules, never a hidden one.

Pitches get points: the weight of the liked facts that are mentioned, halved for each disliked fact that comes up, for each fact
denied and for each claim invented, cut to 0.3 for each red line, and at most 25 beyond 90 words. By default a list of phrases
judges, which is exact and free, and knows only its phrases; \`--judge-model\` has a model judge instead, in streams and in ordinary
runs. Rows name their judge, and scores of different judges are not comparable. What it uses counts in the same \`--limit\`, and
stands apart and in the sums.

### Methods

\`\`\`
hopscope eval serving --size mini --method rag,refusals --policy remembering
hopscope eval prompts/serving/serving.step.md --stream retail_l1 --method rag --model M --base-url URL --out results
\`\`\`

- \`blind\` learns nothing; \`oracle\` is told the rules of each window: the two ends of the scale.
- \`rag\` shows the eight records of earlier tasks that resemble the task most.
- \`notes\` has the model rewrite a note of 2,000 characters after each block.
- \`refusals\` remembers what the policy \`remembering\` says it tried: an example of a learner that needs no model.

Serving tasks are played in blocks of 12 against a frozen memory; then the method learns from the block.
${methodGuide}
### Results

In the editor, *Run Eval…* on a step prompt of this environment offers streams beside splits: it asks for the method, one of these
or a file of the workspace, which has to be trusted, and for the size or the streams. The *Runs* view lists streams that it or the command
plays, with their windows, in the folder of runs and in \`results\`. Their page has scores by domain and tier, windows, learning curves,
what the method remembered after each block, costs, and the published rows; *Compare Runs…* holds two methods against each other on the
test tasks that both played.

Each stream and method of a model has a file of rows in the folder \`results\`, or that of \`--out\`: one row for each episode as it ends.
Policies cost nothing, so they leave no file unless \`--out\` names a folder. Run again with the same arguments, it goes
on: whole blocks are learned from again in order, a broken block is played again as a whole. \`avg_h\` and \`avg_f\` are the means of
the settings' scores, given only when all nine, or six, are there. Two methods or agents are compared task by task, over the
same test tasks. \`--leaderboard\` shows published results below, those of the streams that were played and the averages; they were
measured on other tasks.

With \`--json\` there are lines of JSON instead of tables: \`{"start": …}\` for each stream, \`{"played": …}\` for each episode as it ends,
\`{"episode": …}\` for each row (not with \`--brief\`), \`{"done": …}\` for each agent and method, and at the end \`{"summary": …}\` for each:
\`agent\`, \`method\`, \`tasks\`, \`sources\`, \`judges\`, \`scores\`, \`averages\`, \`curves\`, \`against\` (the pairs with the first agent and
method: \`category\`, \`tasks\`, \`difference\`, \`interval\`, \`better\`, \`worse\`, \`p\`), \`tokens\`, \`dollars\` and \`judge_dollars\`; then
\`{"leaderboard": …}\` if asked for.

\`--published FOLDER\` plays the original tasks from the authors' export (a checkout of their repository, or its folder \`dataset\`)
with the same tools and verifier; without a folder, from where \`hopscope data fetch servelearnbench\` put it. Worlds, tools and
bulletins are held against the fingerprints that the authors published, numbers of tasks against the published ones; anything else
is refused. An export of another state has to bring its own \`fingerprints.json\`, and is named otherwise. Every row names its
source, the file of results the hash of all that was read; figures of the two are never mixed. The policies \`documents\` and
\`remembering\` go by the documents and requests of our own tasks, so they cannot play the published ones of shop and bank and are
refused there: use a model, \`oracle\` or \`finish-at-once\`.
`;
