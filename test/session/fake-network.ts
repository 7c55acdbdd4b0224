// The part of a window that the session uses: it goes online and offline, and counts its listeners.
import type { NetworkLike } from '../../src/session/network.ts';

export class FakeNetwork implements NetworkLike {
  readonly navigator: { onLine: boolean };
  readonly #listeners = new Map<string, Set<() => void>>();

  constructor(onLine = true) {
    this.navigator = { onLine };
  }

  get listeners(): number {
    return [...this.#listeners.values()].reduce((sum, { size }) => sum + size, 0);
  }

  addEventListener(type: string, listener: () => void): void {
    this.#listeners.set(type, (this.#listeners.get(type) ?? new Set()).add(listener));
  }

  removeEventListener(type: string, listener: () => void): void {
    this.#listeners.get(type)?.delete(listener);
  }

  go(type: 'online' | 'offline'): void {
    this.navigator.onLine = type === 'online';
    for (const listener of [...(this.#listeners.get(type) ?? [])]) listener();
  }
}
