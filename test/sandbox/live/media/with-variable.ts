// One variable of the environment changed for what is started by one call, and for nothing else.

/** @param start starts it before it returns */
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
