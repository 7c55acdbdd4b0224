// The site that `npm run bench:prepared` prepares, and the service behind a gateway.
// - No two texts of the site are equal. Each has 3 to 8 words.
// - The gateway counts the requests that reach the service. After `fail(true)`, one request in a hundred fails with 503, and one
//   video in a hundred is cut off.
// - The gateway requests videos of 160x90, because the bench does not measure the sandbox's encoder. The texts in `large`, which
//   visitors open, keep the resolution that the program requested.
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, request as send, type Server } from 'node:http';
import { randomFrom } from '../random.ts';
import type { SandboxAddresses } from '../../../demo/sandbox/index.ts';
import { listen } from '../../listening.ts';

export const TEXTS = 20;
export const FAULTS = 0.01;
const SMALL = '160x90';

const words = 'come sit wait read ask tell bring take open close'.split(' ');
const sentence = (number: number): string => {
  const spelt = [...String(number)].map((digit) => words[Number(digit)]!).join(' ');
  return `${spelt[0]!.toUpperCase()}${spelt.slice(1)} ${words[number % 10]}.`;
};

/** The texts of a page, of which the first one has this number. */
export const textsOf = (first: number): string[] =>
  Array.from({ length: TEXTS }, (_, i) => sentence(first + i));

export const sitemapOf = (address: string, pages: number): string =>
  Array.from({ length: pages }, (_, i) => `<loc>${address}/page/${i * TEXTS}</loc>`).join('');

export const addressOf = async (server: Server): Promise<string> =>
  `http://127.0.0.1:${await listen(server)}`;

interface Asked {
  readonly content: { readonly data: string };
  readonly output: { readonly delivery: { readonly config: { resolution?: string } } };
}

/** @param large texts whose videos keep the resolution that the program asks for */
export async function countingGateway(
  { apiUrl, mediaUrl }: SandboxAddresses,
  large: ReadonlySet<string> = new Set(),
) {
  const counts = { requests: 0, upgrades: 0, failed: 0 };
  /** How often each text was signed. */
  const signed = new Map<string, number>();
  let fails = false;
  const random = randomFrom(1);
  const isUnlucky = (): boolean => {
    const unlucky = random() < FAULTS && fails;
    if (unlucky) counts.failed += 1;
    return unlucky;
  };
  const media = new URL(mediaUrl).origin;
  const server = createServer((incoming, outgoing) => {
    const isMedia = incoming.url!.startsWith('/media-of-service/');
    if (!isMedia) counts.requests += 1;
    const target = isMedia ? media + incoming.url!.slice('/media-of-service'.length) : apiUrl + incoming.url!;
    const unlucky = isUnlucky();
    if (unlucky && !isMedia)
      return void outgoing.writeHead(503, { 'content-type': 'application/json' }).end('{}');
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { host: _, 'content-length': __, 'transfer-encoding': ___, ...headers } = incoming.headers;
      let body = Buffer.concat(chunks);
      const asked = body.length > 0 ? (JSON.parse(body.toString()) as Asked) : null;
      if (asked && !large.has(asked.content.data)) {
        asked.output.delivery.config.resolution = SMALL;
        body = Buffer.from(JSON.stringify(asked));
      }
      const passed = send(target, { method: incoming.method, headers }, (response) => {
        const { location } = response.headers;
        if (response.statusCode === 303 && location) {
          const text = asked!.content.data;
          signed.set(text, (signed.get(text) ?? 0) + 1);
          response.headers.location = location.replace(media, `${address}/media-of-service`);
        }
        outgoing.writeHead(response.statusCode!, response.headers);
        if (unlucky)
          response.once('data', (chunk: Buffer) =>
            outgoing.write(chunk.subarray(0, 99), () => outgoing.destroy()),
          );
        else response.pipe(outgoing);
      });
      passed.on('error', () => outgoing.destroy());
      passed.end(body);
    });
  });
  server.on('upgrade', (_, socket) => {
    counts.upgrades += 1;
    socket.destroy();
  });
  const address = await addressOf(server);
  return { address, counts, signed, fail: (on: boolean) => void (fails = on), server };
}

export type Gateway = Awaited<ReturnType<typeof countingGateway>>;

/** Starts the program on a sitemap. */
export function startProgram(
  site: string,
  edition: string,
  gateway: Gateway,
  apiKey: string,
  says: 'inherit' | 'ignore' = 'inherit',
): ChildProcess {
  const options = ['--resolution', '480p', '--out', edition];
  const args = ['dist/proxy/sign-prepare.js', ...options, `${site}/sitemap.xml`];
  const env = { ...process.env, SIGN_API_URL: gateway.address, SIGN_API_KEY: apiKey };
  return spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', says] });
}
