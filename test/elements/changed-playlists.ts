// Changes the playlists that a page reads, in the answers of its requests.
const original = Object.getOwnPropertyDescriptor(XMLHttpRequest.prototype, 'responseText')!;

/** From now on the page reads what `change` makes of each answer. */
export function changePlaylists(change: (text: string) => string): void {
  const get = function (this: XMLHttpRequest): string {
    return change(original.get!.call(this) as string);
  };
  Object.defineProperty(XMLHttpRequest.prototype, 'responseText', { ...original, get });
}

/** From now on the page reads the answers as they came. */
export function restorePlaylists(): void {
  Object.defineProperty(XMLHttpRequest.prototype, 'responseText', original);
}
