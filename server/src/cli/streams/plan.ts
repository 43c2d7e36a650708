/** What a command plays as streams, with a file for each of them, before anything is asked. */
import type { StreamInfo } from '../../engine/environments/streams.ts';
import { Failure } from '../../host/failure.ts';
import { canonicalJson } from '../../host/streams/canonical-json.ts';
import { streamPlaces } from '../../host/streams/stream-places.ts';
import { configOf, defaultOut, type Play, type Player, type StreamPlace } from './play.ts';

/** A play whose files are not known yet. */
export type Unplaced = Omit<Play, 'places'>;

/**
 * Gives each stream that is kept a file of its own.
 *
 * @throws Failure when two are the same, or a file cannot be gone on with.
 */
export function planStreams(plays: readonly Unplaced[], list: readonly StreamInfo[]): readonly Play[] {
  checkDifferent(plays);
  const streams = list.map(({ id }) => id);
  const configs = plays.map((play) => streams.map((stream) => configOf(play, stream)));
  const files = plays.map((): readonly (string | null)[] => streams.map(() => null));
  const [first] = plays;
  const out = first?.choice.out ?? (first?.player.agent.kind === 'model' ? defaultOut : null);
  if (out !== null) {
    const placed = plays.flatMap(({ player, name }, at) =>
      streams.map((stream, of) => ({
        model: player.name,
        stream,
        method: name,
        prompt: player.prompt?.run.name ?? null,
        config: configs[at]?.[of] ?? {},
      })),
    );
    const found = streamPlaces(out, placed);
    for (const [at] of plays.entries())
      files[at] = found.slice(at * streams.length, (at + 1) * streams.length);
  }
  return plays.map((play, at) => {
    const places = new Map<string, StreamPlace>();
    for (const [of, stream] of streams.entries()) {
      places.set(stream, { file: files[at]?.[of] ?? null, config: configs[at]?.[of] ?? {} });
    }
    return { ...play, places };
  });
}

/** Nothing is learned from holding something against itself. @throws Failure */
function checkDifferent(plays: readonly Unplaced[]): void {
  const seen = new Map<string, Unplaced>();
  for (const play of plays) {
    const { player, name, hash } = play;
    const key = canonicalJson([player.name, player.prompt?.run.hash ?? null, hash ?? name]);
    const earlier = seen.get(key);
    if (earlier !== undefined) throw new Failure('request', twice(earlier, play));
    seen.set(key, play);
  }
}

function twice(a: Unplaced, b: Unplaced): string {
  const [one, other] =
    a.player === b.player
      ? [a.name, b.name]
      : [a.player, b.player].map((it) => it.prompt?.run.path ?? it.name);
  return one === other
    ? `${one} is named twice: leave one out.`
    : `${one} and ${other} are the same: leave one out.`;
}

/** Players that go by one name in tables are told apart by their step prompts. */
export function labelled(players: readonly Omit<Player, 'label'>[]): readonly Player[] {
  const isShared = (name: string | null | undefined, of: (it: Omit<Player, 'label'>) => string | undefined) =>
    players.filter((it) => of(it) === name).length > 1;
  return players.map((player) => {
    const { name, prompt } = player;
    if (prompt === null || !isShared(name, (it) => it.name)) return { ...player, label: name };
    const isNamed = isShared(prompt.run.name, (it) => (it.name === name ? it.prompt?.run.name : undefined));
    return { ...player, label: `${name} · ${isNamed ? prompt.run.path : prompt.run.name}` };
  });
}
