// Reporter of `node --test`: a verdict for each test, none for a group of them.
// - A skipped test, a test marked as to do and a file without tests are failures, because each would otherwise look like a passed
//   check.
// - Files and lines of a compiled test are reported as those of its source (source-places.mjs).
import { dirname, relative, resolve } from 'node:path';
import { sourcePlace, withSourcePlaces } from './source-places.mjs';
import { verdict } from './verdicts.mjs';

/** The source of a compiled test (running/compile.mjs). */
const sourceOf = (file) => file.replace(/^\.build\/tests\/(.*)\.js$/, '$1.ts');

/** The message with its causes, because of a `fetch failed` only the cause says what happened. */
function describeError(error) {
  const text = error?.stack ?? error?.message ?? String(error);
  return error?.cause ? `${text}\ncaused by ${describeError(error.cause)}` : text;
}

/** The names by which a message may name a file: the file that was run, or the folder of the sources that share its process. */
const namesOf = (file) => [relative('', file), `${dirname(sourceOf(relative('', file)))}/`];

function failureOf(event, isFile, printed) {
  const { details, skip, todo } = event.data;
  if (event.type === 'test:fail') {
    const { exitCode, signal } = details.error ?? {};
    if (isFile) return `the file ended with ${signal ?? `exit code ${exitCode}`}\n${printed}`;
    return describeError(details.error?.cause ?? details.error);
  }
  if (isFile) return 'the file has no test';
  if (skip !== undefined || todo !== undefined) return 'the test is skipped';
  return null;
}

/** A group that passed, or failed only because a test in it did: that test has a verdict of its own. */
const repeatsAnother = ({ type, data }) =>
  data.details.error?.failureType === 'subtestsFailed' ||
  (type === 'test:pass' && data.details.type === 'suite');

export default async function* report(source) {
  /** The output by file. Node reports an error after a test without the file, but names the file in the message. */
  const printed = new Map();
  const diagnostics = [];
  for await (const event of source) {
    const { file, line, column, name, message } = event.data;
    if (event.type === 'test:stderr') {
      // Node names the file as it was given here, and by its whole path elsewhere.
      const path = resolve(file);
      printed.set(path, `${printed.get(path) ?? ''}${message}`.slice(-4000));
    } else if (event.type === 'test:diagnostic') {
      diagnostics.push(message);
    } else if ((event.type === 'test:pass' || event.type === 'test:fail') && !repeatsAnother(event)) {
      const isFile = resolve(name) === file;
      const suite = sourcePlace(file, line, column)?.file ?? sourceOf(relative('', file));
      const last = [
        printed.get(file) ?? '',
        ...diagnostics.filter((text) => namesOf(file).some((name) => text.includes(name))),
      ].join('\n');
      const ms = event.data.nesting === 0 ? event.data.details.duration_ms : 0;
      const failure = failureOf(event, isFile, last);
      yield verdict(suite, isFile ? suite : name, failure && withSourcePlaces(failure), ms);
    }
  }
}
