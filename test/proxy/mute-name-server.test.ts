// The program `sign-proxy` where no name server answers: a server that only listens takes the place of the system's name server,
// for this program alone.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';
import { addressOf, run } from './program.ts';

const ADDRESS = '127.9.9.9';
/** The only port that a resolver of the system asks. */
const PORT = 53;
/** Puts the file `$0` in the place of the system's list of name servers, and runs the program. */
const WITH_SERVERS = 'mount --bind "$0" /etc/resolv.conf && exec "$@"';

const isRoot = process.getuid?.() === 0;

test(
  'a look-up that no name server answers does not keep a drained program from ending',
  { skip: isRoot ? false : `only root may listen on port ${PORT}` },
  async (t) => {
    const folder = temporaryFolder();
    const servers = join(folder, 'resolv.conf');
    writeFileSync(servers, `nameserver ${ADDRESS}\n`);
    const mute = createSocket('udp4').bind(PORT, ADDRESS);
    t.after(() => void mute.close());
    await once(mute, 'listening');

    const env = { PATH: process.env.PATH, PORT: '0', SIGN_API_URL: 'https://service.example' };
    const program = run(t, env, 'unshare', '--mount', 'sh', '-c', WITH_SERVERS, servers);
    const { origin } = await addressOf(program);
    const asked = get(`${origin}/sign/v1/status/job`, { agent: false });
    asked.on('error', () => undefined);
    await once(mute, 'message');
    asked.destroy();
    program.kill('SIGTERM');
    // A normal exit of Node would wait for the name server, so the program kills itself and has no exit status.
    assert.equal(await program.exited, null);
  },
);
