// The package `sign-elements-proxy`: the proxy as a part of another server. The program is main.ts.
export { ConfigError, readConfig, type Config, type ConfigProblem, type TransportConfig } from './config.ts';
export { signTicket, type TicketInit } from './sites/tickets.ts';
export { createSignProxy, type NodeHandler, type SignProxy } from './server.ts';
