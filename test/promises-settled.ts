// Waits until every promise that can settle now has done so, and its callbacks have run.

export const promisesSettled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
