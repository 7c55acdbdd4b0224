// How a page wants its requests at the proxy over HTTP made; `configure()` sets it, and each request reads it anew.

export interface RequestSettings {
  /** In place of the platform's. */
  fetch?: ((address: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Added to those of the request, in place of one of the same name. */
  headers?: Readonly<Record<string, string>> | undefined;
}

export const requestSettings: RequestSettings = {};
