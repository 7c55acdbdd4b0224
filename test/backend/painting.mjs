// The options with which backend.mjs starts its sandbox; painting.ts reads them too.
export default { stamp: true, framesPerWord: 6, scale: 0.5 };
