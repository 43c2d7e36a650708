/** Streams go by addresses that look like paths; see `stream-group.ts` for what lies behind them. */

/** How they end. */
export const streamEnding = '.stream';

/** Whether an address is that of streams. */
export function isStreamAddress(address: string): boolean {
  return address.endsWith(streamEnding);
}
