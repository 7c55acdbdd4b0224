// The accounts of one sandbox, and the choice of the account that a request is for.
// - A request names its account by `X-API-KEY`, by the client id of its Basic credentials, or by the subject of its access
//   token. A request that names none, or an unknown one, is for the first account, which refuses what needs credentials.
// - Media of accounts opened later have a prefix of their own, `/accounts/<number>`.
// - The first account exists as long as the sandbox; 63 more may be open at one time. No number is given twice.
import type { IncomingMessage } from 'node:http';
import { decodeJwt } from 'jose';
import { Account, type AccountDeps } from './account.ts';
import { basicCredentials } from './announcements/token-server.ts';
import { AccountsFull, type AccountList } from './control-route.ts';
import type { MediaOrigin } from './media/media-origin.ts';

const MOST_MORE = 63;
const mediaPrefix = /^\/accounts\/(\d{1,9})(?=\/)/;

/** The client id in the credentials or the access token of a request; null when there is none. */
function clientIdOf(authorization: string): string | null {
  const token = /^Bearer +(.+)$/i.exec(authorization)?.[1];
  if (token === undefined) return basicCredentials(authorization)?.clientId ?? null;
  try {
    return decodeJwt(token).sub ?? null;
  } catch {
    return null;
  }
}

/** What all accounts are opened with. */
type SharedDeps = Omit<AccountDeps, 'number' | 'accounts'>;

export class Accounts implements AccountList<Account> {
  readonly #deps: SharedDeps;
  readonly #open = new Map<number, Account>();
  #opened = 0;

  private constructor(deps: SharedDeps) {
    this.#deps = deps;
  }

  /** The accounts of a sandbox, with the first one open. */
  static async open(deps: SharedDeps): Promise<Accounts> {
    const accounts = new Accounts(deps);
    await accounts.open();
    return accounts;
  }

  get first(): Account {
    return this.#open.get(1)!;
  }

  /** Opens one more account. @throws AccountsFull */
  async open(): Promise<Account> {
    if (this.#open.size > MOST_MORE) throw new AccountsFull(`${this.#open.size} accounts are open`);
    const number = (this.#opened += 1);
    const account = await Account.open({ ...this.#deps, number, accounts: this });
    this.#open.set(number, account);
    return account;
  }

  /** Closes an account and everything that belongs to it. @returns false for the first account, which stays open */
  async close(account: Account): Promise<boolean> {
    if (account === this.first) return false;
    for (const [number, open] of this.#open) if (open === account) this.#open.delete(number);
    await account.close();
    return true;
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.values()].map((account) => account.close()));
  }

  /** The account that a request to the API is for. */
  of({ headers }: IncomingMessage): Account {
    const { authorization } = headers;
    const clientId = authorization === undefined ? null : clientIdOf(authorization);
    const named = [...this.#open.values()].find(
      ({ addresses }) => addresses.apiKey === headers['x-api-key'] || addresses.clientId === clientId,
    );
    return named ?? this.first;
  }

  /** The account that a request to the media origin is for; removes the account's prefix from its path. */
  mediaOf(request: IncomingMessage): MediaOrigin {
    const [prefix = '', number] = mediaPrefix.exec(request.url ?? '') ?? [];
    const account = number === undefined ? this.first : this.#open.get(Number(number));
    request.url = (request.url ?? '').slice(prefix.length);
    return (account ?? this.first).media;
  }
}
