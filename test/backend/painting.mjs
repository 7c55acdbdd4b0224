// What the sandbox of backend.mjs is started with, for it and for painting.ts.
export default { stamp: true, framesPerWord: 6, scale: 0.5 };
