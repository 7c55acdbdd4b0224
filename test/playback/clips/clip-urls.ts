// Addresses of clips of the real sandbox for the browser tests of playback, over one socket of the real proxy.
import type { Encoding } from '../../../demo/sandbox/media/media-spec.ts';
import { proxyAddress, setFaults } from '../../backend/client.ts';

interface ResultFrame {
  type: string;
  ref: string;
  url: string;
}

/** One session of the service; closed when the tests of the file are over. */
class Service {
  readonly #socket: WebSocket;
  /** The session, when it is ready and every earlier text is answered, because it accepts a limited number at a time. */
  #free: Promise<unknown>;
  #asked = 0;

  constructor(proxy: string, config: object) {
    this.#socket = new WebSocket(`${proxy.replace(/^http/, 'ws')}/ws/`);
    this.#free = this.#frame(({ type }) => type === 'session.ready');
    this.#socket.addEventListener('open', () =>
      this.#send({ type: 'session.start', version: '3.0', mode: 'translate', config }),
    );
  }

  /** The address of the clip of a text. */
  async urlOf(text: string): Promise<string> {
    const id = `t${(this.#asked += 1)}`;
    const result = this.#free.then(() => {
      const answer = this.#frame((frame) => frame.type === 'result' && frame.ref === id);
      this.#send({ type: 'text', id, data: text });
      return answer;
    });
    this.#free = result;
    return (await result).url;
  }

  close(): void {
    this.#socket.close();
  }

  #send(frame: object): void {
    this.#socket.send(JSON.stringify(frame));
  }

  #frame(test: (frame: ResultFrame) => boolean): Promise<ResultFrame> {
    return new Promise((resolve) => {
      const listen = ({ data }: MessageEvent<string>): void => {
        const frame = JSON.parse(data) as ResultFrame;
        if (!test(frame)) return;
        this.#socket.removeEventListener('message', listen);
        resolve(frame);
      };
      this.#socket.addEventListener('message', listen);
    });
  }
}

/** By size. Its values are promises, so that texts that are requested at the same time share one session. */
const services = new Map<string, Promise<Service>>();
/** Addresses by size and text: a clip is made once. */
const urls = new Map<string, Promise<string>>();

/** The address of a text's clip; 25 frames a second, with 0.2 s of rest before the signs and 0.4 s after them. */
export function clipUrl(text: string, resolution = '480p'): Promise<string> {
  const key = `${resolution} ${text}`;
  let url = urls.get(key);
  if (!url) {
    let service = services.get(resolution);
    if (!service) {
      const config = { digital_signer: 'RAE', resolution };
      service = proxyAddress().then((proxy) => new Service(proxy, config));
      services.set(resolution, service);
    }
    url = service.then((open) => open.urlOf(text));
    urls.set(key, url);
  }
  return url;
}

/** Addresses of clips in the given codings. Each call makes new clips, one after the other. */
export async function encodedClipUrls(
  asked: readonly (readonly [text: string, encoding: Encoding])[],
): Promise<Promise<string>[]> {
  await setFaults(asked.map(([, encoding], at) => ({ fault: 'encoding', text: at + 1, ...encoding })));
  // The faults count the texts of a session.
  const service = new Service(await proxyAddress(), { digital_signer: 'RAE', resolution: '480p' });
  services.set('encoded', Promise.resolve(service));
  return asked.map(([text]) => service.urlOf(text));
}

/** A fresh address of the same clip. */
export async function anotherUrl(text: string): Promise<string> {
  await clipUrl(text);
  return (await services.get('480p'))!.urlOf(text);
}

export function closeServices(): void {
  for (const service of services.values()) void service.then((open) => open.close());
  services.clear();
  urls.clear();
}
