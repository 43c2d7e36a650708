/** The clock of this machine. */
import { expect, test } from 'vitest';
import { systemClock } from '../../../server/src/host/models/clock.ts';

test('sleep ends after its time or with its signal', async () => {
  const controller = new AbortController();
  await systemClock.sleep(1, controller.signal);
  const long = systemClock.sleep(2 ** 40, controller.signal);
  controller.abort();
  await long;
  await systemClock.sleep(2 ** 40, controller.signal);
});

test('a timer runs once unless it is stopped', async () => {
  const ran: string[] = [];
  systemClock.after(0, () => ran.push('stopped'))();
  await new Promise<void>((resolve) => {
    systemClock.after(0, () => {
      ran.push('run');
      resolve();
    });
  });
  expect(ran).toEqual(['run']);
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(60_000);
});
