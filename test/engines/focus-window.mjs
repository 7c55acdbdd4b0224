// Gives the keyboard focus to the windows of a screen that has no window manager, as a window manager does with a new window.
// - Without it a page in WebKitGTK never has the focus, so no element matches `:focus-visible`.
// - The protocol is X11's own (X Window System Protocol, 8 and appendix B), over the socket of the screen, little-endian.
import { once } from 'node:events';
import { connect } from 'node:net';

const QUERY_TREE = 15;
const SET_INPUT_FOCUS = 42;
const REVERT_TO_ROOT = 1;

const request = (opcode, detail, ...words) => {
  const bytes = Buffer.alloc(4 + 4 * words.length);
  bytes.writeUInt8(opcode, 0);
  bytes.writeUInt8(detail, 1);
  bytes.writeUInt16LE(1 + words.length, 2);
  words.forEach((word, at) => bytes.writeUInt32LE(word, 4 + 4 * at));
  return bytes;
};

/** The root window, which the answer to the first message names after the vendor's name and the formats. */
const rootIn = (setup) =>
  setup.readUInt32LE(40 + ((setup.readUInt16LE(24) + 3) & ~3) + 8 * setup.readUInt8(29));

/**
 * Focuses every window of the screen that can be seen; a hidden one refuses the focus.
 * @param {string} display value of DISPLAY, such as `:1`
 */
export async function focusWindows(display) {
  const socket = connect(`/tmp/.X11-unix/X${display.slice(1)}`);
  let read = Buffer.alloc(0);
  socket.on('data', (data) => (read = Buffer.concat([read, data])));
  /** The next answer, of `start` bytes and of as many as `more` reads in them. */
  const answer = async (start, more) => {
    while (read.length < start || read.length < start + more(read)) await once(socket, 'data');
    const length = start + more(read);
    const bytes = read.subarray(0, length);
    read = read.subarray(length);
    return bytes;
  };
  await once(socket, 'connect');
  // Little-endian, protocol 11.0, without a password.
  socket.write(Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
  const root = rootIn(await answer(8, (bytes) => 4 * bytes.readUInt16LE(6)));
  socket.write(request(QUERY_TREE, 0, root));
  const tree = await answer(32, (bytes) => 4 * bytes.readUInt32LE(4));
  for (let at = 32; at < tree.length; at += 4) {
    socket.write(request(SET_INPUT_FOCUS, REVERT_TO_ROOT, tree.readUInt32LE(at), 0));
  }
  socket.end();
  await once(socket, 'close');
}
