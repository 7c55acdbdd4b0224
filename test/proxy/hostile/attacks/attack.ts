// The type of an attack, and the requests, byte by byte, that attacks are built from.
// - Each request is valid and asks for its connection to be closed, so that a refusal can only come from what an attack adds.
export interface Attack {
  readonly what: string;
  readonly send: string | Buffer | readonly (string | Buffer)[];
  /** Status of each answer. */
  readonly got: readonly number[];
  /** Requests that reached the service. */
  readonly reached?: number;
  /** Whether the sender closes the connection when all is sent. Otherwise the sender waits until the proxy closes it. */
  readonly hangsUp?: boolean;
}

export const HOST = 'Host: proxy.example\r\n';
export const CLOSE = 'Connection: close\r\n';

/** A valid GET, apart from the headers that a test adds. */
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
/** The same request with `framing` in place of its Content-Length. */
export const postWith = (framing: string, body: string): string =>
  `POST /sign/v2/generate HTTP/1.1\r\n${HOST}${CLOSE}Content-Type: application/json\r\n${framing}\r\n${body}`;
export const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
