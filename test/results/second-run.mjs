// Which test files are run a second time, and what counts then. Policy: pages play in real time, and a machine that others
// use too can stand still for a second, so a file with a failure is run once more, alone, when nothing else runs; the second
// verdict counts and the first is told all the same: a test that passed only then is unsteady, a defect of it or of the
// product. Failures in more than three files are no accident; they stand.

const MOST_FILES = 3;

const failedFiles = (verdicts) => [
  ...new Set(verdicts.filter(({ failure }) => failure !== null).map(({ suite }) => suite)),
];

/** The files of these verdicts that are to be run again; the other suites, by name, have no file. */
export function filesToRunAgain(verdicts, files) {
  const failed = failedFiles(verdicts);
  return failed.length <= MOST_FILES && failed.every((suite) => files.includes(suite)) ? failed : [];
}

/**
 * The verdicts that count after `files` were run again, and those of the first run that were taken back by that. A test
 * that the second run did not come to has failed.
 */
export function afterSecondRun(first, second, files) {
  const again = second.filter(({ suite, failure }) => files.includes(suite) || failure !== null);
  const has = ({ suite, name }) => again.some((one) => one.suite === suite && one.name === name);
  const loaded = (file) => again.some(({ suite }) => suite === file);
  /** A failure of the file itself, as of a page that did not load, is over once its tests are seen. */
  const isOver = ({ suite, name }) => suite === name && loaded(suite);
  const missed = first.filter((one) => files.includes(one.suite) && !has(one) && !isOver(one));
  const lost = missed.map(({ suite, name, failure }) => ({
    suite,
    name,
    failure: failure ?? 'the second run did not come to it',
  }));
  const counting = [...first.filter(({ suite }) => !files.includes(suite)), ...again, ...lost];
  const stillFailed = failedFiles(counting);
  const unsteady = first.filter(({ suite, failure }) => failure !== null && !stillFailed.includes(suite));
  return { counting, unsteady };
}
