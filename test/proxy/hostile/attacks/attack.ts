// An attack, and the requests that attacks are made of, byte by byte.
// - Each is in order and asks for its connection to be closed, so that what is refused is refused for what an attack
//   adds.
export interface Attack {
  readonly what: string;
  readonly send: string | Buffer | readonly (string | Buffer)[];
  /** Status of each answer. */
  readonly got: readonly number[];
  /** Requests that reached the service. */
  readonly reached?: number;
  /** Whether the sender hangs up when all is sent; else it waits for the proxy to. */
  readonly hangsUp?: boolean;
}

export const HOST = 'Host: proxy.example\r\n';
export const CLOSE = 'Connection: close\r\n';

/** A GET that is in order but for what a test adds. */
export const get = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\n${HOST}${CLOSE}${headers}\r\n`;

export const OK_BODY = '{"content":{"data":"a"}}';
export const post = (body: string | Buffer, headers = '', length = Buffer.byteLength(body)): Buffer =>
  Buffer.concat([
    Buffer.from(
      `POST /sign/v2/generate HTTP/1.1\r\n${HOST}${CLOSE}Content-Type: application/json\r\n` +
        `Content-Length: ${length}\r\n${headers}\r\n`,
      'latin1',
    ),
    Buffer.from(body),
  ]);
/** The same without a length of its own. */
export const postWith = (framing: string, body: string): string =>
  `POST /sign/v2/generate HTTP/1.1\r\n${HOST}${CLOSE}Content-Type: application/json\r\n${framing}\r\n${body}`;
export const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
