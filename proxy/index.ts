// `sign-elements-proxy`: the proxy as a part of a server of one's own. The program is main.ts.
export { ConfigError, readConfig, type Config, type ConfigProblem, type TransportConfig } from './config.ts';
export type { NodeHandler } from './host-door.ts';
export { createSignProxy, type SignProxy } from './server.ts';
