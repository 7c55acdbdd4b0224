// The two properties that hold for every random schedule, by name; each throws the rules that did not hold.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FuzzRun } from './fuzz-model.ts';
import { anything, gentle, type Schedule } from './fuzz-schedules.ts';

export const properties = {
  /** Each text is signed once or fails once, with its reason; no limit of the service is exceeded; nothing is left. */
  anything: fc.asyncProperty(anything, async (schedule: Schedule) => {
    assert.deepEqual((await new FuzzRun(schedule).run()).wrong, []);
  }),
  /** Drops, frozen sockets, slowness, sleep and being offline lose no text. */
  gentle: fc.asyncProperty(gentle, async (schedule: Schedule) => {
    const { wrong, unsigned } = await new FuzzRun(schedule).run();
    assert.deepEqual([...wrong, ...unsigned], []);
  }),
};

export type PropertyName = keyof typeof properties;
