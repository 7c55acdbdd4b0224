// The programs of the documents that are for a server run in one, with the names that the text beside them gives.
// - The test listens in place of a program, on a port of its own. Then it requests a page and a socket of the site through the
//   proxy.
import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createRequire } from 'node:module';
import test, { type TestContext } from 'node:test';
import { runInNewContext } from 'node:vm';
import Fastify from 'fastify';
import { createSignProxy, readConfig, signTicket } from '../../proxy/index.ts';
import { listening } from '../listening.ts';
import {
  carriesBodies,
  carriesFrames,
  KEY,
  proxyForHost,
  repeatingUpstream,
} from '../proxy/hosts/hosted-proxy.ts';
import { ofLanguage, place, type Sample } from './samples.ts';

const express = createRequire(import.meta.url)('express') as () => RequestListener;
const ofServers = ofLanguage('js').filter(({ file }) => /^(docs\/proxy|proxy\/README)\.md$/.test(file));

/** Runs a program with these variables; resolves with the final value of one of the program's own variables. */
function run({ code }: Sample, names: Readonly<Record<string, unknown>>, result: string): Promise<unknown> {
  const body = code.replaceAll(/^import .*\n/gm, '').replace('server.listen(3000);', '');
  return runInNewContext(`(async () => { ${body}\nreturn ${result}; })()`, { ...names }) as Promise<unknown>;
}

/** Each kind of program, by a text that only it contains. */
const kinds: Readonly<Record<string, (t: TestContext, sample: Sample) => Promise<void>>> = {
  async 'readConfig(process.env)'(t, sample) {
    const upstream = await repeatingUpstream(t);
    const process = { env: { SIGN_API_URL: upstream.url, SIGN_API_KEY: KEY } };
    const given = { createServer, readConfig, process };
    let close = (): Promise<void> => Promise.resolve();
    const server = await run(
      sample,
      {
        ...given,
        createSignProxy(...settings: Parameters<typeof createSignProxy>) {
          const proxy = createSignProxy(...settings);
          close = () => proxy.close();
          return proxy;
        },
      },
      'server',
    );
    t.after(() => close());
    await answers(await listening(t, server as Server), { upstream, close });
  },
  async 'proxy.plugin'(t, sample) {
    const hosted = await proxyForHost(t);
    const fastify = Fastify({ routerOptions: { maxParamLength: 768 } });
    await run(sample, { proxy: hosted.proxy, fastify }, 'null');
    const origin = await fastify.listen({ host: '127.0.0.1', port: 0 });
    t.after(() => fastify.close());
    await answers(origin, hosted);
  },
  async 'app.use'(t, sample) {
    const hosted = await proxyForHost(t);
    const server = await run(sample, { createServer, proxy: hosted.proxy, app: express() }, 'server');
    await answers(await listening(t, server as Server), hosted);
  },
  async 'handle(request, response)'(t, sample) {
    const hosted = await proxyForHost(t);
    const handle: RequestListener = (_request, response) => void response.end('of the host');
    const server = await run(sample, { createServer, proxy: hosted.proxy, handle }, 'server');
    const origin = await listening(t, server as Server);
    await answers(origin, hosted);
    assert.equal(await (await fetch(origin)).text(), 'of the host');
  },
  async signTicket(_t, sample) {
    const process = { env: { SIGN_TICKET_KEY: 'key-of-the-tickets-of-this-site' } };
    const ticket = await run(sample, { signTicket, process }, 'ticket');
    assert.match(String(ticket), /^k1\.[\w-]+\.[\w-]{43}$/);
  },
};

async function answers(origin: string, hosted: Parameters<typeof carriesBodies>[1]): Promise<void> {
  await carriesBodies(origin, hosted);
  await carriesFrames(origin, hosted);
}

test('there is a program of each kind', () => assert.equal(ofServers.length, Object.keys(kinds).length));

for (const sample of ofServers) {
  const [kind] = Object.entries(kinds).filter(([part]) => sample.code.includes(part));
  test(`${place(sample)} runs on a server`, async (t) => {
    assert.ok(kind, 'a program of an unknown kind');
    await kind[1](t, sample);
  });
}
