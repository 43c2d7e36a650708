/** The part of the documentation page that tells how a method is written. */
import { grouped } from '../../text/numbers.ts';
import { methodLimits } from '../streams.ts';

const { seconds, megabytes, characters } = methodLimits;

export const methodGuide = `
### A method of your own

The path of a JavaScript file in the place of a name, \`--method ./mine.mjs\`, is a method of your own. Its name ends in \`.mjs\`, \`.js\`
or \`.cjs\`; TypeScript has to be compiled first. The file has a default export with three functions, each of which may return a promise:

\`\`\`js
// mine.mjs: shows the three earlier tasks that share most words with the one at hand, failures first.
const words = (text) => new Set(text.toLowerCase().match(/[a-z]{4,}/g) ?? []);

export default {
  // The memory before the first block of a stream.
  start: () => [],

  // The text for the agent's prompt; '' for none. Called before each task.
  context(memory, task) {
    const wanted = words(task.instruction);
    const shared = (one) => [...words(one.instruction)].filter((word) => wanted.has(word)).length;
    return [...memory]
      .sort((a, b) => shared(b) - shared(a) || a.reward - b.reward || b.timestamp - a.timestamp)
      .slice(0, 3)
      .map((one) => 'Task ' + one.timestamp + ' got ' + Math.round(100 * one.reward) + ' points:\\n' + one.record)
      .join('\\n\\n');
  },

  // The memory after a block: a new value, which is frozen in its turn.
  update(memory, block) {
    return [...memory, ...block].slice(-60);
  },
};
\`\`\`

\`\`\`
hopscope eval serving --stream mini_retail --method blind,./mine.mjs --policy documents
hopscope eval prompts/serving/serving.step.md --stream retail_l1 --method ./mine.mjs --model M --base-url URL
\`\`\`

| function | is given | gives |
|---|---|---|
| \`start()\` | nothing | the first memory |
| \`context(memory, task)\` | the memory, and the task that is about to be played | a text |
| \`update(memory, block)\` | the memory, and a list of up to 12 episodes in the order of the stream | the next memory |
| \`describe(memory)\`, which may be left out | the memory | a text for people, shown in the editor; without it they see JSON |

A task has \`taskId\`, \`instruction\` and \`timestamp\`; an episode has all five fields:

| field | type | meaning |
|---|---|---|
| \`taskId\` | string | an id of 12 letters and digits that tells nothing, the same one whenever the task comes up |
| \`instruction\` | string | what the customer or the case says, as the agent reads it |
| \`timestamp\` | number | position in the stream, from 1; test tasks have that of the last serving task of their window |
| \`reward\` | number | from 0 to 1: the outcome. In shop and bank nothing but 0 or 1, for pitches anything between |
| \`record\` | string | the whole episode as text: \`INSTRUCTION:\`, then for each turn \`STEP n\`, \`THOUGHT:\`, \`REPLY:\`, \`ACTION: tool({…})\`, \`OBSERVATION:\`, and the last line \`Score: 100/100.\` |

Nothing else is told: no window, no phase, no slice, no rule, nothing of test tasks beyond these three fields.

- **Memory** is plain data: texts, numbers, true, false, null, and lists and objects of them, as deep as you like. Anything else (a Map, a
  Date, a class, a function) ends the run, and so does a function that returns nothing where a memory is due. It is frozen, so
  \`context\` can only read it, and \`update\` returns a changed copy.
- **Order**: a stream begins with \`start\` in a fresh thread. All tasks of a block are played against one memory, then \`update\` is
  called once with that block; after the last block of a window its test tasks are played, and \`update\` never sees them. \`context\`
  should depend on its arguments alone, since calls are made one after another but tasks are played side by side. Going on with a file of
  results calls \`update\` with the recorded blocks again, in order, and \`context\` only for what is left to play.
- **Limits**: a call may take ${seconds} seconds, the thread ${grouped(megabytes)} MB of memory, and a text has at most ${grouped(characters)} characters. Whatever
  is beyond ends the run with a sentence about it; what was played is kept.
- **Errors** end the run and name the line; one of syntax as well. What the method prints goes to standard error.
- **What counts as the same method**: results are gone on with only if the file and all files that it names by a relative path
  (\`import './words.mjs'\`, \`require('./words.cjs')\`, \`new URL('./words.txt', import.meta.url)\`, and what those name) are what they were. Packages,
  absolute paths and names that are put together at run time are not looked at: give another \`--out\` when such a thing changes.
- **Rights**: it runs without this program's environment variables, but with your rights to files and network. Run only files that
  you trust.
`;
