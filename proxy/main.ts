#!/usr/bin/env node
// The program `sign-proxy`. Policy: stdout has one line, with the address, once it listens; logs go to stderr as JSON
// lines, and where those cannot be written (whoever read them is gone, the disk is full) they are lost and the pages stay.
// SIGTERM and SIGINT drain and exit 0 (a second one does not wait); SIGHUP reads the files of secrets anew, and one that
// is bad changes nothing; a bad environment exits 2, a server that cannot listen exits 1.
import { ConfigError, createSignProxy, readConfig, type Config } from './index.ts';

/** The level of a log line, as pino numbers them. */
const ERROR = 50;

function configOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(`sign-proxy cannot start:\n${error.message.replace(/^/gm, '  ')}`);
    process.exit(2);
  }
}

// Else a line that cannot be written ends the process. There is nowhere to tell of it.
process.stderr.on('error', () => undefined);
const config = configOrExit();
const proxy = createSignProxy(config);
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void proxy.close().then(() => process.exit(0)));
}
process.on('SIGHUP', () => {
  try {
    proxy.reload(readConfig(process.env));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const msg = 'secrets not read anew: those of before stay';
    console.error(JSON.stringify({ level: ERROR, time: Date.now(), problems: error.problems, msg }));
  }
});
try {
  console.log(`sign-proxy listens on ${await proxy.listen()}${config.path}`);
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  console.error(`sign-proxy cannot listen on ${config.host} port ${config.port} (${code ?? message})`);
  process.exit(1);
}
