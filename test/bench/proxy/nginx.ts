// nginx as a WebSocket proxy, with the few lines that its own documentation gives for that and one worker.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../backend/free-port.mjs';
import { obtainNginx } from '../../nginx/obtain-nginx.mjs';
import { childOf, mostOpenFiles } from '../../proxy/footprint.ts';
import { died, end, type Program } from './program.ts';

/** Relays to the service on `upstreamPort`. */
export async function startNginx(upstreamPort: number): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-nginx-'));
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration(folder, port, upstreamPort));
  const child = spawn(obtainNginx(console.log), ['-c', file, '-p', folder, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const pid = await Promise.race([worker(child.pid ?? 0, port), died(child, 'nginx')]);
  return {
    pid,
    port,
    async stop() {
      await end(child, 'SIGTERM');
      rmSync(folder, { recursive: true });
    },
  };
}

function configuration(folder: string, port: number, upstreamPort: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
daemon off;
worker_processes 1;
worker_rlimit_nofile ${mostOpenFiles()};
pid ${folder}/pid;
error_log stderr error;
events { worker_connections 32768; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / {
      proxy_pass http://127.0.0.1:${upstreamPort};
      proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection "upgrade";
    }
  }
}
`;
}

/** The only worker of nginx, as soon as the port answers, because nginx does not report when it listens. */
async function worker(master: number, port: number): Promise<number> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const opened = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    const pid = childOf(master);
    if (opened && pid > 0) return pid;
    await setTimeout(20);
  }
}
