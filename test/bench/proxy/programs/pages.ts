// The load: connections that implement only as much of WebSocket as they need, so that they take little CPU themselves.
// - Each sends its session.start and waits for the echo. Then it carries out the orders that come over IPC, and sends the results
//   back.
// - Every text has an id of its own, every answer has the same number of bytes, and the answers of a connection come in order.
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Order, Result } from '../orders.ts';
import { ID_AT, ID_LENGTH, RESULT, START, TEXT } from './frames.ts';

const MASK = Buffer.from([0x5a, 0x17, 0xc3, 0x81]);

/** One masked text frame of fewer than 126 bytes (RFC 6455, 5.2). */
function masked(text: string): Buffer {
  const data = Buffer.from(text);
  const body = data.map((byte, index) => byte ^ (MASK[index % 4] ?? 0));
  return Buffer.concat([Buffer.from([0x81, 0x80 | data.length]), MASK, body]);
}
/** The same frame as a server sends it. */
const plain = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x81, Buffer.byteLength(text)]), Buffer.from(text)]);

const [startFrame, textFrame] = [masked(START), masked(TEXT)];
const [echoedStart, resultFrame] = [plain(START), plain(RESULT)];

let texts = 0;
/** `count` texts, each with the next id: its number in decimal digits. */
function textFrames(count: number): Buffer {
  const frames = Buffer.allocUnsafe(count * textFrame.length);
  for (let at = 0; at < frames.length; at += textFrame.length) {
    textFrame.copy(frames, at);
    texts += 1;
    const id = at + textFrame.length - TEXT.length + ID_AT;
    let rest = texts;
    for (let digit = ID_LENGTH - 1; digit >= 0; digit -= 1, rest = Math.floor(rest / 10)) {
      frames[id + digit] = (0x30 + (rest % 10)) ^ (MASK[(ID_AT + digit) % 4] ?? 0);
    }
  }
  return frames;
}

interface Page {
  readonly socket: Socket;
  /** The number of bytes of an incomplete answer. */
  partial: number;
  /** When each unanswered text was sent, oldest first. */
  readonly sentAt: number[];
}

let pages: Page[] = [];
let onAnswers: (page: Page, count: number) => void = () => undefined;

/** Opens `count` more; each has an address of its own, as behind a balancer. */
async function open(port: number, count: number): Promise<void> {
  const first = pages.length;
  for (let done = 0; done < count; done += 50) {
    const group = Array.from({ length: Math.min(50, count - done) }, (_, index) => first + done + index);
    pages.push(...(await Promise.all(group.map((number) => openOne(port, number)))));
  }
}

function openOne(port: number, number: number): Promise<Page> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1').setNoDelay(true);
    const page: Page = { socket, partial: 0, sentAt: [] };
    let head = Buffer.alloc(0);
    const lost = (): void => reject(new Error(`connection ${number} was closed: ${head.toString('latin1')}`));
    const opening = (chunk: Buffer): void => {
      head = Buffer.concat([head, chunk]);
      if (!head.subarray(-echoedStart.length).equals(echoedStart)) return;
      socket.off('data', opening).off('close', lost);
      socket.on('data', (data: Buffer) => answers(page, data.length));
      socket.on('close', () => process.exit(1));
      resolve(page);
    };
    socket.on('data', opening).on('close', lost).on('error', lost);
    socket.write(
      `GET /sign/ws/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
        `X-Forwarded-For: 10.${number >> 16}.${(number >> 8) & 255}.${number & 255}\r\n\r\n`,
    );
    socket.write(startFrame);
  });
}

function answers(page: Page, bytes: number): void {
  const whole = page.partial + bytes;
  page.partial = whole % resultFrame.length;
  const count = Math.floor(whole / resultFrame.length);
  if (count > 0) onAnswers(page, count);
}

/** Each page keeps `inFlight` unanswered. Resolves with how many were answered in `ms`. */
function saturate(inFlight: number, ms: number): Promise<number> {
  let answered = 0;
  return new Promise((resolve) => {
    let stopping = false;
    let unanswered = pages.length * inFlight;
    onAnswers = (page, count) => {
      answered += count;
      if (stopping) unanswered -= count;
      else page.socket.write(textFrames(count));
      if (unanswered === 0) resolve(answered);
    };
    for (const page of pages) page.socket.write(textFrames(inFlight));
    setTimeout(() => (stopping = true), ms);
  });
}

/** `perSecond` texts in all, evenly spread over time and pages. Resolves with how long each took, in ms. */
function pace(perSecond: number, ms: number): Promise<number[]> {
  const took: number[] = [];
  return new Promise((resolve) => {
    const start = performance.now();
    const total = Math.floor((perSecond * ms) / 1000);
    let sent = 0;
    onAnswers = (page, count) => {
      const now = performance.now();
      for (const at of page.sentAt.splice(0, count)) took.push(now - at);
      if (took.length === total) resolve(took);
    };
    const tick = (): void => {
      const now = performance.now();
      const due = Math.min(total, Math.floor(((now - start) * perSecond) / 1000));
      for (; sent < due; sent += 1) {
        const page = pages[sent % pages.length];
        page?.sentAt.push(performance.now());
        page?.socket.write(textFrames(1));
      }
      if (sent < total) setTimeout(tick, 1);
    };
    tick();
  });
}

function close(): void {
  for (const { socket } of pages) socket.removeAllListeners('close').resetAndDestroy();
  pages = [];
}

async function carryOut(order: Order): Promise<Result> {
  switch (order.kind) {
    case 'open':
      await open(order.port, order.count);
      return { kind: 'done' };
    case 'saturate':
      return { kind: 'answered', count: await saturate(order.inFlight, order.ms) };
    case 'pace':
      return { kind: 'took', ms: await pace(order.perSecond, order.ms) };
    case 'close':
      close();
      return { kind: 'done' };
  }
}

process.on('disconnect', () => process.exit());
process.on('message', (order: Order) => {
  void carryOut(order).then(
    (result) => process.send?.(result),
    (error: Error) => process.send?.({ kind: 'failed', message: error.message } satisfies Result),
  );
});
