/** What a score in log compression says, for the documentation page. */
import { solvedFrom } from './scored.ts';

export const guide = `
One log, one reply. The log has some dozens of lines; a few different ones report that something went wrong, most of them several
times, between lines that nobody needs. The environment measures whether a prompt gets a model to copy every different critical line
word for word and to leave out the rest. Two gates decide:

1. **Fidelity.** Prefixes (a time, a request id, a line number) are taken off and white space is collapsed; then every different
   critical line must be a line of the reply. One that is missing makes the reward 0, however good the rest.
2. **Length.** Tokens are a quarter of the characters. On a scale on which the reference compressor is 0 and the critical lines alone
   are 1, the reply scores what its length says, from −1 to 1. A reply longer than the reference's loses, though it is faithful.

An episode counts as solved from a reward of ${solvedFrom} on, as in published pass rates.

It does not measure whether a summary is right or readable: nothing but word-for-word copies counts, and invented lines cost only
their tokens. It says little about which lines matter, either. They are those that a search for words such as "error" finds, but for
some decoys ("0 errors"), so the policy \`grep\` comes close to the ideal without any understanding. What it asks for is copying without
a change, and telling lines apart that begin alike.

### The five cases

\`timestamp\` and \`req_id\` repeat few errors often, \`line_num\` fewer ones more often. In \`false_positive\` all errors begin with the
same word and hardly repeat, so that whoever groups by that word loses; there the reference is close to the ideal, and in one of ten
logs it is the ideal: those cannot be won (\`no-headroom\`). \`mixed_noise\` is mostly noise of three programs.

### How these logs compare with the published ones

The published records are not part of this program; these are made by its own generator, with lines in the shapes of real programs.
The published reference compressor leaves 0.2143 of the tokens, a mean over the fifty records that \`--shuffle-seed 42\` chooses
(12, 9, 7, 11 and 11 of the five cases, here as there); ours leaves 0.2134 of the same fifty of \`train\`. By case, over all of \`train\`:

| case | reference ratio | ideal ratio |
| --- | --- | --- |
| \`timestamp\` | 0.179 | 0.059 |
| \`req_id\` | 0.180 | 0.060 |
| \`line_num\` | 0.132 | 0.054 |
| \`false_positive\` | 0.277 | 0.247 |
| \`mixed_noise\` | 0.244 | 0.060 |
| all | 0.2026 | 0.0961 |

A file of published records is played as it is: give it with \`--instances FILE\` (the original calls it \`seed_path\`).

### The reference compressor

It strips colour codes, filters known noise, prints equal lines once with a count, groups other lines that begin alike, and cuts to
forty lines. Lines that look like errors pass all of it unchanged, so it loses nothing. With the option \`lossy_reference\` it groups
those, too: then it loses what it groups, and where errors begin alike it is shorter than anything faithful, so that faithful
replies score below 0.
`;
