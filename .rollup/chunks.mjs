// Which chunk of dist/cdn a module is in.
// - The entry: only what has to know its own address, and what must come after that, the definitions.
// - `shared`: all else that loads with the page. A lazy chunk must not import the entry by its name here: a proxy, which serves
//   the entry as elements.js, would deliver a second copy of everything. In one file it is 600 bytes less than in two.
// - `clips` and `session`: all that the first sign over V3 needs, one request each, and nothing that only others need.
// - `common`: what these two and others import, zod and its schemas among it.
// - Rollup decides about the rest.
import { resolve } from 'node:path';

/** Lazy modules that the first sign over V3 needs. */
const firstSign = {
  clips:
    /\/src\/(elements\/(.*\/)?translate-controller|playback\/(clips|mp4)\/(?!.*(fallback|double-buffer)))/,
  session: /\/src\/session\/(?!.*(rest|ticket))/,
};

/** All modules that `ids` import statically, themselves included. */
function closure(ids, getModuleInfo) {
  const reached = new Set();
  const queue = [...ids];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    queue.push(...getModuleInfo(id).importedIds);
  }
  return reached;
}

const inEntry = /\/src\/(cdn\.ts|define(\.ts|\/.*)|internal\/(loaded-from|safe-define)\.ts)$/;

function assign(getModuleInfo) {
  const eager = closure([resolve('src/cdn.ts')], getModuleInfo);
  const lazy = new Set();
  const search = (ids) => {
    for (const id of ids) {
      for (const target of getModuleInfo(id).dynamicallyImportedIds) {
        if (lazy.has(target)) continue;
        lazy.add(target);
        search(closure([target], getModuleInfo));
      }
    }
  };
  search(eager);
  const groupOf = (id) => Object.keys(firstSign).find((name) => firstSign[name].test(id)) ?? 'others';
  const closures = [...Object.keys(firstSign), 'others'].map((name) => {
    const roots = [...lazy].filter((id) => groupOf(id) === name);
    return [name, closure(roots, getModuleInfo)];
  });
  return (id) => {
    const groups = closures.filter(([, ids]) => ids.has(id)).map(([name]) => name);
    if (eager.has(id)) return inEntry.test(id) ? null : 'shared';
    if (groups.length > 1) return 'common';
    return groups[0] === 'others' ? null : groups[0];
  };
}

let assigned;
/** For rollup's `manualChunks`, which asks it of every module once all are read. */
export const chunkOf = (id, { getModuleInfo }) => (assigned ??= assign(getModuleInfo))(id);
