// Plugin of web-test-runner: the values that a failed test compared reach the runner as text when they cannot be copied.
// - A page sends the values that an assertion compared. One that cannot be copied, such as an element or a function, kept the
//   results of the whole file from being sent, and the runner waited ten minutes for them (@web/dev-server-core 0.7).
const MODULE = '/__web-dev-server__web-socket.js';
const COPY = 'structuredClone(obj)';

/** Runs in the page. A list or an object that holds what cannot be copied is copied member by member. */
function copied(value, holders = []) {
  try {
    return structuredClone(value);
  } catch {
    const isPlain = Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]';
    if (!isPlain || holders.includes(value)) return String(value);
    const member = (one) => copied(one, [...holders, value]);
    if (Array.isArray(value)) return value.map(member);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, member(one)]));
  }
}

export const valuesAsTextPlugin = {
  name: 'values as text',
  transform({ path, body }) {
    if (path !== MODULE) return undefined;
    if (!body.includes(COPY)) throw new Error(`${MODULE} has changed: no ${COPY}`);
    return `${copied.toString()}\n${body.replace(COPY, 'copied(obj)')}`;
  },
};
