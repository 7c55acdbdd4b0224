// Old scripts give every object of a page members of theirs, which `for…in` then lists; zod, hls.js and Shaka take them for
// their own data and throw.
// - They stay where they are, with their value; `for…in` no longer lists them.
// - A member that cannot be configured stays listed.

/** Called before these packages are loaded and at each use, because a script can add members at any time. */
export function hideInheritedMembers(): void {
  for (const name of Object.keys(Object.prototype)) {
    Reflect.defineProperty(Object.prototype, name, { enumerable: false });
  }
}
