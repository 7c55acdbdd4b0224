// A file that a `<video>` plays and that has no picture: a second of silence as PCM in WAVE, 8 kHz, 8 bits, one channel.

const RATE = 8_000;

export function soundOnly(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(44 + RATE).fill(128, 44);
  const view = new DataView(bytes.buffer);
  const word = (at: number, letters: string): void =>
    [...letters].forEach((letter, index) => view.setUint8(at + index, letter.charCodeAt(0)));
  word(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  word(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, RATE, true);
  view.setUint32(28, RATE, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  word(36, 'data');
  view.setUint32(40, RATE, true);
  return bytes;
}
