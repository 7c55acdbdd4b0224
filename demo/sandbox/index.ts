// The parts of the sandbox that the rest of the repository may use.
export { startSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';
export { ownHosts, type SandboxAddresses } from './addresses.ts';
export type { SandboxClock } from './clock.ts';
export type { Fault } from './fault-table.ts';
export { defaultLimits, type SandboxLimits } from './settings.ts';
export { renderOptionsFrom, type RenderOptions } from './painter/render-options.ts';
export { clipId, readStamp, type Stamp } from './stamp.ts';
