// Changes one variable of the environment for the processes that one call starts.

/** @param start starts the processes before it returns */
export function withVariable<T>(name: string, value: string, start: () => T): T {
  const ours = process.env[name];
  process.env[name] = value;
  try {
    return start();
  } finally {
    if (ours === undefined) delete process.env[name];
    else process.env[name] = ours;
  }
}
