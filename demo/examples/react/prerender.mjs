// Puts the page's HTML into the built index.html, as server-side rendering does.
import { readFileSync, writeFileSync } from 'node:fs';
import { html } from './.server/server.js';

const file = 'dist/index.html';
writeFileSync(
  file,
  readFileSync(file, 'utf8').replace('<!--html-->', () => html),
);
