#!/usr/bin/env node
// The program `sign-proxy`.
// - Stdout: one line with the address, once it listens. stderr: logs as JSON lines. A log line that cannot be written
//   (closed pipe, full disk) or that nobody reads (log-pipe.ts) is lost and the proxy keeps running.
// - SIGTERM and SIGINT drain and exit 0; a second signal ends the process at once. While a disk or a name server does not answer,
//   an exit of Node waits for it (libuv joins its threads). So after a second the process sends itself the signal.
// - SIGHUP reads the secret files and the file of sites again, in another process (config-process.ts). A bad file changes nothing.
//   A SIGHUP while they are being read reads them once more. A read that takes more than 20 s is given up.
// - A variable SIGN_… that the proxy does not have is a warning: Kubernetes makes some from the names of services.
// - Exit 2: a bad environment. Exit 1: the server cannot listen.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ConfigMessage } from './config-process.ts';
import { unknownVariables } from './config.ts';
import { type Config, ConfigError, createSignProxy, readConfig } from './index.ts';

/** Levels of a log line, as pino numbers them. */
const WARN = 40;
const ERROR = 50;

const log = (level: number, fields: object): void =>
  console.error(JSON.stringify({ level, time: Date.now(), ...fields }));

function configOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(`sign-proxy cannot start:\n${error.message.replace(/^/gm, '  ')}`);
    process.exit(2);
  }
}

/** For 300 sites it takes 0.7 s; from a disk that hangs, or a named pipe, it would take for ever. */
const READ_MS = 20_000;

/** The process that reads the configuration anew. */
let reader: ChildProcess | null = null;
let isReadAgain = false;

async function readAnew(): Promise<ConfigMessage> {
  const program = `config-process${extname(import.meta.filename)}`;
  try {
    reader = fork(join(import.meta.dirname, program), {
      stdio: 'ignore',
      serialization: 'advanced',
      timeout: READ_MS,
      killSignal: 'SIGKILL',
    });
    const ended = once(reader, 'disconnect').then(() =>
      Promise.reject(new Error(`it ended, or took more than ${READ_MS / 1000} s`)),
    );
    const [message] = await Promise.race([once(reader, 'message'), ended]);
    return message as ConfigMessage;
  } catch (error) {
    return {
      problems: [{ variable: 'SIGHUP', message: `a process that reads the files fails: ${String(error)}` }],
    };
  } finally {
    reader = null;
  }
}

async function reload(): Promise<void> {
  isReadAgain = true;
  while (reader === null && isReadAgain) {
    isReadAgain = false;
    const message = await readAnew();
    if ('config' in message) proxy.reload(message.config);
    else
      log(ERROR, {
        problems: message.problems,
        msg: 'secrets not read anew: the ones from before stay in force',
      });
  }
}

const BUSY_MS = 1_000;
const BUSY_STEP_MS = 20;
/** Names that Node gives to the work of its threads: on files, and on look-ups of names. */
const OF_THREADS = /^(?:FSReq|GetAddrInfoReq)/;

async function exit(signal: NodeJS.Signals): Promise<void> {
  reader?.kill('SIGKILL');
  const isBusy = (): boolean => process.getActiveResourcesInfo().some((name) => OF_THREADS.test(name));
  for (let waited = 0; waited < BUSY_MS && isBusy(); waited += BUSY_STEP_MS) await setTimeout(BUSY_STEP_MS);
  // Process 1 of a container cannot end itself in this way.
  if (isBusy()) process.kill(process.pid, signal);
  process.exit(0);
}

// Without these listeners a line that cannot be written would end the process, and so would a SIGHUP that comes too early.
process.stderr.on('error', () => undefined);
process.on('SIGHUP', () => void reload());
const config = configOrExit();
const unknown = unknownVariables(process.env);
if (unknown.length > 0) log(WARN, { variables: unknown, msg: 'the proxy has no variables of these names' });
const proxy = createSignProxy(config);
const ENDING = ['SIGTERM', 'SIGINT'] as const;
const end = (signal: NodeJS.Signals): void => {
  // Without our listener, the next of these signals ends the process.
  for (const each of ENDING) process.off(each, end);
  void proxy.close().then(() => exit(signal));
};
for (const signal of ENDING) process.on(signal, end);
try {
  console.log(`sign-proxy listens on ${await proxy.listen()}${config.path}`);
} catch (error) {
  // An error of SIGN_OPERATIONS_PORT has that port.
  const { code, message, port = config.port } = error as NodeJS.ErrnoException & { readonly port?: number };
  console.error(`sign-proxy cannot listen on ${config.host} port ${port} (${code ?? message})`);
  process.exit(1);
}
