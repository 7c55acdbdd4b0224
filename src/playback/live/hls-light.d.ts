// hls.js publishes its light build without types; they are those of the full one.
declare module 'hls.js/light' {
  export { default } from 'hls.js';
}
