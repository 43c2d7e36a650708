/** What log lines are about: invented services, files and hosts, and the numbers that go with them. */
import type { Stream } from '../../../random/stream.ts';

const SERVICES = 'orders ledger catalog vault pricing courier inbox ratings search tariff depot roster'.split(
  ' ',
);
const NAMES =
  'basket invoice parcel voucher refund session quota tenant shipment banner receipt coupon'.split(' ');
const HOSTS = 'node-a1 node-b4 edge-2 edge-7 core-3 core-9'.split(' ');
const FOLDERS = 'auth billing core http jobs mail queue store sync web'.split(' ');

export const service = (stream: Stream): string => stream.pick(SERVICES);
export const noun = (stream: Stream): string => stream.pick(NAMES);
export const host = (stream: Stream): string => stream.pick(HOSTS);

/** A name as classes have it, e.g. `Basket`. */
export function typeName(stream: Stream): string {
  const name = noun(stream);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** A path without its ending, e.g. `billing/voucher`. */
export function path(stream: Stream): string {
  return `${stream.pick(FOLDERS)}/${noun(stream)}`;
}

/** `digits` hexadecimal digits, up to 7. */
export function hex(stream: Stream, digits: number): string {
  return (0x1000_0000 + stream.below(0x1000_0000)).toString(16).slice(-digits);
}

/** An address in a private network. */
export function address(stream: Stream): string {
  return `10.${stream.below(64)}.${stream.below(256)}.${stream.between(1, 254)}`;
}

/** From these the times and numbers in front of lines are written: several for every line. */
const PAIRS: readonly string[] = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));

const LIMITS: readonly number[] = [1, 10, 100, 1000, 10_000];

/** A whole number with at least `digits` digits, from 2 up to 4. */
export function padded(value: number, digits: number): string {
  if (value >= (LIMITS[digits] ?? 0)) return String(value);
  const last = PAIRS[value % 100] ?? '';
  if (digits === 2) return last;
  const first = Math.floor(value / 100);
  return (digits === 3 ? String(first) : (PAIRS[first] ?? '')) + last;
}
