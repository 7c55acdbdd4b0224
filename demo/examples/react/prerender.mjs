// Puts the page's HTML into the built index.html, as a server that renders would.
import { readFileSync, writeFileSync } from 'node:fs';
import { html } from './.server/server.js';

const file = 'dist/index.html';
writeFileSync(
  file,
  readFileSync(file, 'utf8').replace('<!--html-->', () => html),
);
