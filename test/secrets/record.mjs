// Records what every proxy sends and logs in the whole test run, and the secrets that it was given, for scan.mjs to search.
// It is loaded into each process of the run by NODE_OPTIONS; SIGN_TEST_RECORDS names the folder, one file a process.
// - A proxy is a Fastify instance that has /readyz (neither the sandbox nor a fake service has it). Every byte of its
//   connections, its own or those that a host hands it, is recorded below HTTP, in the order in which it is sent.
// - The metrics of each proxy that is closed and not killed are recorded too.
// - Log lines are all that the process writes to stderr, and of the program `sign-proxy` what it prints too.
// - Secrets are those that upstream requests carry, those in the environment of the process, and those that a test
//   publishes on the channel `sign-test.secrets`.
// - What a proxy sends to the service, and what a test's own client sends, is not recorded: secrets belong there.
import { subscribe } from 'node:diagnostics_channel';
import { mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';

const folder = process.env.SIGN_TEST_RECORDS;
if (folder) record(folder);

function record(folder) {
  let file = null;
  const write = (...entry) => {
    if (file === null) {
      mkdirSync(folder, { recursive: true });
      file = openSync(join(folder, `${process.pid}-${Date.now()}.jsonl`), 'a');
    }
    writeSync(file, `${JSON.stringify(entry)}\n`);
  };
  const secret = (value) => {
    if (typeof value === 'string' && value.length >= 8) write('secret', value);
  };

  let connections = 0;
  const known = new WeakSet();
  /** Wraps the methods by which Node's streams write bytes to the socket. */
  const listen = (socket) => {
    if (!(socket instanceof Socket) || known.has(socket)) return;
    known.add(socket);
    const id = (connections += 1);
    const recordChunk = (chunk, encoding) =>
      write('said', id, Buffer.from(chunk, encoding === 'buffer' ? undefined : encoding).toString('latin1'));
    const { _write, _writev } = socket;
    socket._write = function (chunk, encoding, done) {
      recordChunk(chunk, encoding);
      return _write.call(this, chunk, encoding, done);
    };
    socket._writev = function (chunks, done) {
      for (const { chunk, encoding } of chunks) recordChunk(chunk, encoding);
      return _writev.call(this, chunks, done);
    };
  };

  subscribe('fastify.initialization', ({ fastify }) => {
    let isProxy = false;
    let isClosing = false;
    fastify.server.on('connection', (socket) => isProxy && listen(socket));
    fastify.addHook('onRequest', (request, _reply, done) => {
      if (isProxy) listen(request.raw.socket);
      done();
    });
    fastify.addHook('onReady', (done) => {
      isProxy = fastify.hasRoute({ method: 'GET', url: '/readyz' });
      if (isProxy) write('proxy');
      done();
    });
    // Not a hook, because Fastify no longer answers when it closes.
    const { close } = fastify;
    fastify.close = async (...args) => {
      if (isProxy && !isClosing) {
        isClosing = true;
        const { payload } = await fastify.inject('/metrics');
        write('said', (connections += 1), payload);
      }
      return close.apply(fastify, args);
    };
  });

  subscribe('http.client.request.start', ({ request }) => {
    secret(request.getHeader('x-api-key'));
    const [, scheme = '', credentials = ''] =
      /^(Basic|Bearer) +(\S+)$/i.exec(String(request.getHeader('authorization') ?? '')) ?? [];
    if (scheme.toLowerCase() === 'bearer') secret(credentials);
    else secret(Buffer.from(credentials, 'base64').toString().split(':').slice(1).join(':'));
  });
  subscribe('sign-test.secrets', (secrets) => secrets.forEach(secret));
  for (const name of ['SIGN_API_KEY', 'SIGN_CLIENT_SECRET', 'SIGN_OPERATOR_TOKEN', 'SIGN_REDIS_URL']) {
    secret(process.env[name]);
    try {
      secret(readFileSync(process.env[`${name}_FILE`] ?? '', 'utf8').trim());
    } catch {
      // There is no such file. A program that needs it reports that itself.
    }
  }

  const isProgram = /\bproxy\/main\.[jt]s$/.test(process.argv[1] ?? '');
  for (const stream of isProgram ? [process.stdout, process.stderr] : [process.stderr]) {
    const { write: original } = stream;
    stream.write = function (chunk, ...rest) {
      write('log', typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
      return original.call(this, chunk, ...rest);
    };
  }
}
