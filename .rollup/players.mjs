// The players in dist/cdn: the files that their makers minified, and nothing in them is changed.
// - Shaka looks for `exports`, then for the AMD loader of the page (RequireJS in Moodle and Magento), else it sets a global variable.
//   So its module has `exports` of its own, and exports them.
// - Rollup reads and writes one line for each of them. To read the 1.5 MB, follow their source maps and write both again took a
//   seventh of the CPU time of all bundles, and changed white space.
// - The line holds a hash of the code, because the name of the chunk is made from what rollup has written.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import MagicString from 'magic-string';
import { json } from './common.mjs';

const dash = 'shaka-player/dist/shaka-player.dash-es2021.js';
const files = new Map([
  ['hls.js/light', resolve('node_modules/hls.js/dist/hls.light.min.mjs')],
  ['hls.js', resolve('node_modules/hls.js/dist/hls.min.mjs')],
  [dash, resolve('node_modules', dash)],
]);
const players = new Set(files.values());

/** The code of the chunk. What is added at the beginning adds no line, because the source map counts them. */
function codeOf(file) {
  const code = readFileSync(file, 'utf8').replace(/\s*\/\/# sourceMappingURL=\S+\s*$/, '\n');
  return file === files.get(dash) ? `const exports={};${code}export default exports;\n` : code;
}

/** The maker's source map where it holds the sources, else one of the lines of the file. */
function mapOf(file, code) {
  const map = existsSync(`${file}.map`) ? json(`${file}.map`) : null;
  if (map?.sourcesContent) return JSON.stringify(map);
  return new MagicString(code).generateMap({ source: basename(file), includeContent: true }).toString();
}

export const minifiedPlayers = {
  name: 'minified-players',
  resolveId: (id) => files.get(id) ?? null,
  load(id) {
    if (!players.has(id)) return null;
    return `export default '${createHash('sha256').update(codeOf(id)).digest('hex')}';`;
  },
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      const file = chunk.moduleIds?.find((id) => players.has(id));
      if (file === undefined) continue;
      if (chunk.moduleIds.length > 1) this.error(`${chunk.fileName} holds more than ${file}`);
      const code = codeOf(file);
      chunk.code = `${code}//# sourceMappingURL=${basename(chunk.sourcemapFileName)}\n`;
      bundle[chunk.sourcemapFileName].source = mapOf(file, code);
    }
  },
};
