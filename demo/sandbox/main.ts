#!/usr/bin/env node
// Starts only the sandbox, for `npm run sandbox` and for `sign-sandbox` of the package.
// - It reads from the environment: `PORT` (default any free one), `SANDBOX_SEED` (a whole number), `SANDBOX_STAMP`,
//   `SANDBOX_B_FRAMES`, `SANDBOX_FRAMES_PER_WORD` and `SANDBOX_SCALE` (render-options.ts), and `SANDBOX_LIVE_LATENCY`, seconds
//   (settings.ts).
// - The first line on stdout has its addresses as one JSON object.
// - It exits with 0 on SIGTERM and SIGINT, with 2 for an invalid environment, and with 1 when a port cannot be opened.
import { renderOptionsFrom, startSandbox } from './index.ts';

interface Limits {
  readonly least?: number;
  readonly most: number;
  readonly isWhole?: boolean;
}

function numberOf(name: string, { least = 0, most, isWhole = true }: Limits): number | undefined {
  const given = process.env[name];
  if (given === undefined || given === '') return undefined;
  const value = Number(given);
  if ((!isWhole || Number.isInteger(value)) && value >= least && value <= most) return value;
  console.error(`${name} is not a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}`);
  process.exit(2);
}

const port = numberOf('PORT', { most: 65535 });
const seed = numberOf('SANDBOX_SEED', { most: Number.MAX_SAFE_INTEGER });
// These two are only checked here, for the message; renderOptionsFrom() reads them.
numberOf('SANDBOX_FRAMES_PER_WORD', { least: 1, most: 25 });
numberOf('SANDBOX_SCALE', { least: 0.25, most: 1, isWhole: false });
const latency = numberOf('SANDBOX_LIVE_LATENCY', { most: 60 });
const sandbox = await startSandbox({
  render: renderOptionsFrom(process.env),
  ...(port === undefined ? {} : { port }),
  ...(seed === undefined ? {} : { seed }),
  ...(latency === undefined ? {} : { limits: { live_latency_seconds: latency } }),
}).catch((error: unknown) => {
  console.error(`the sandbox does not start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});

console.log(JSON.stringify(sandbox.addresses));

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    void sandbox.close().then(() => process.exit(0));
  });
}
