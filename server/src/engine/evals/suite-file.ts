/** Reading and writing suites. */
import * as v from 'valibot';
import { accept, type Checked, refuse } from '../problem.ts';
import { toJson } from '../prompts/json.ts';
import { parseJsonFile } from './formats/json-file.ts';
import type { InstanceSource } from './run-data.ts';
import { checkSuiteName, memberName, type Suite, type SuiteMember } from './suites.ts';

const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const text = v.pipe(v.string(), v.nonEmpty());

const fileSchema = v.object({
  format: v.literal(1, 'is not the format this version reads: 1'),
  name: text,
  description: v.optional(v.string(), ''),
  environment: text,
  generator_version: v.optional(v.nullable(whole), null),
  options: v.optional(v.record(v.string(), v.unknown()), {}),
  from: v.optional(
    v.object({
      run: v.exactOptional(v.string()),
      label: v.exactOptional(v.string()),
      chosen: v.exactOptional(v.array(v.string())),
    }),
    {},
  ),
  instances: v.pipe(
    v.array(
      v.union([
        v.object({ split: text, index: whole, id: v.exactOptional(text), hash: v.exactOptional(text) }),
        v.object({ split: text, indices: v.pipe(v.array(whole), v.minLength(1)) }),
        v.object({ file: text, id: text, hash: v.exactOptional(text) }),
      ]),
    ),
    v.minLength(1, 'is empty: a suite names at least one instance'),
  ),
});

type Entry = v.InferOutput<typeof fileSchema>['instances'][number];

/** What one entry of the file names. Members of a split can be named many at a time, but not pinned then. */
function membersOf(entry: Entry): SuiteMember[] {
  if ('indices' in entry) {
    const { split, indices } = entry;
    return indices.map((index) => ({ source: { split, index }, id: null, hash: null }));
  }
  const { id = null, hash = null } = entry;
  const source: InstanceSource =
    'file' in entry ? { file: entry.file, id: entry.id } : { split: entry.split, index: entry.index };
  return [{ source, id, hash }];
}

/** Reads a suite. The error continues "… twins.suite.json". */
export function parseSuite(content: string): Checked<Suite> {
  const parsed = parseJsonFile(content, fileSchema, 'is no suite');
  if (!parsed.ok) return parsed;
  const { name, description, environment, generator_version, options, from, instances } = parsed.value;
  const named = checkSuiteName(name);
  if (!named.ok) return refuse(`is no suite: ${named.error}`);
  const members = instances.flatMap(membersOf);
  const twice = firstRepeated(members);
  if (twice !== null) return refuse(`names the instance ${twice} twice`);
  return accept({
    name,
    description,
    environment,
    generatorVersion: generator_version,
    options,
    members,
    origin: from,
  });
}

function firstRepeated(members: readonly SuiteMember[]): string | null {
  const seen = new Set<string>();
  for (const member of members) {
    const place = memberName(member);
    if (seen.has(place)) return place;
    seen.add(place);
  }
  return null;
}

/** The suite as a file, an instance on each line, so that two versions can be told apart line by line. */
export function printSuite({ members, origin, ...suite }: Suite): string {
  const head = {
    format: 1,
    name: suite.name,
    ...(suite.description === '' ? {} : { description: suite.description }),
    environment: suite.environment,
    generator_version: suite.generatorVersion,
    ...(Object.keys(suite.options).length === 0 ? {} : { options: suite.options }),
    ...(Object.keys(origin).length === 0 ? {} : { from: origin }),
  };
  const lines = members.map(({ source, id, hash }) => {
    const place = 'file' in source ? { file: source.file } : { split: source.split, index: source.index };
    return `    ${toJson({ ...place, ...(id === null ? {} : { id }), ...(hash === null ? {} : { hash }) })}`;
  });
  return `${toJson(head, 2).slice(0, -2)},\n  "instances": [\n${lines.join(',\n')}\n  ]\n}\n`;
}
