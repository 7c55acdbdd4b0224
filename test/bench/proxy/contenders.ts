// The relays that this bench compares, and how each is started in front of the same service.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startNginx } from './nginx.ts';
import { died, end, listening, type Program } from './program.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export const OURS = 'sign-proxy';
export const DIRECT = 'no proxy';

export const contenders: Readonly<Record<string, (service: Program) => Promise<Program>>> = {
  nginx: (service) => startNginx(service.port),
  'socket pipe': (service) => listening('socket-pipe', webSocketUrl(service)),
  'ws pipe': (service) => listening('ws-pipe', webSocketUrl(service)),
  '@fastify/http-proxy': (service) => listening('fastify-http-proxy', webSocketUrl(service)),
  [OURS]: (service) => startOurs(service),
};

const webSocketUrl = ({ port }: Program): string => `ws://127.0.0.1:${port}/sign/ws/`;

/** Compiles the program that startOurs() runs, so that the bench measures the code that is in proxy/ now. */
export function compileOurs(): void {
  const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-b', 'proxy'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('proxy/ does not compile');
}

/** The options with which the image starts it (proxy/Dockerfile). */
const IMAGE_OPTIONS = ['--max-semi-space-size=2', '--max-old-space-size=320'];

/**
 * The environment has secrets, for which the proxy must search, and a rate so high that messages are counted and never refused.
 */
export async function startOurs(service: Program, ...nodeOptions: string[]): Promise<Program> {
  const child = spawn(process.execPath, [...IMAGE_OPTIONS, ...nodeOptions, '.build/proxy/main.js'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: '0',
      SIGN_API_URL: `http://127.0.0.1:${service.port}`,
      SIGN_API_KEY: 'the-key-of-the-account-0123456789',
      SIGN_OPERATOR_TOKEN: 'the-token-of-the-operator-0123456789',
      SIGN_MESSAGES_PER_MINUTE: '1000000',
      SIGN_TRUST_PROXY: '127.0.0.1',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout });
  const [line] = (await Promise.race([once(lines, 'line'), died(child, OURS)])) as [string];
  const [, port = ''] = /:(\d+)/.exec(line) ?? [];
  return { pid: child.pid ?? 0, port: Number(port), stop: () => end(child, 'SIGTERM') };
}
