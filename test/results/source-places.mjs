// Names the sources where a compiled test (running/compile.mjs) names its own lines, by the source maps beside it.
// - Only what is reported is looked up: a process that reads the maps of all that it loads, and looks up each line of the stack of
//   each error, took up to an eighth more CPU time.
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, relative, resolve } from 'node:path';

const maps = new Map();

function mapOf(file) {
  if (!maps.has(file)) {
    const map = `${file}.map`;
    maps.set(file, existsSync(map) ? new SourceMap(JSON.parse(readFileSync(map, 'utf8'))) : null);
  }
  return maps.get(file);
}

/**
 * @param {string} file compiled, with its whole path
 * @param {number} line from 1, as `column`
 * @returns {{ file: string, line: number, column: number } | null} the place in the source, with its path from the repository's
 * root; null when no map has it
 */
export function sourcePlace(file, line, column) {
  const { fileName, lineNumber, columnNumber } = mapOf(file)?.findOrigin(line, column) ?? {};
  if (fileName === undefined) return null;
  return { file: relative('', resolve(dirname(file), fileName)), line: lineNumber, column: columnNumber };
}

const COMPILED = /(?:file:\/\/)?(\/[^\s():]*\/\.build\/tests\/[^\s():]+\.js):(\d+):(\d+)/g;

/** A text, such as a stack, in which each line of a compiled test is named as in its source. */
export const withSourcePlaces = (text) =>
  text.replace(COMPILED, (whole, file, line, column) => {
    const place = sourcePlace(file, Number(line), Number(column));
    return place ? `${place.file}:${place.line}:${place.column}` : whole;
  });
