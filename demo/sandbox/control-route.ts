// The control route of an account: GET lists the possible faults, POST replaces the faults in force.
// - `X-API-KEY` names the account by its key. Without a key it is the first account; an unknown key is 404.
// - `POST <control>/accounts` with `{}` opens another account and answers with its addresses and credentials, in the form of the
//   first line of `npm run sandbox`; `DELETE <control>/accounts` with its key closes it. The first account cannot be closed.
// - Only tools on this machine can use it. It accepts only loopback host names (DNS rebinding is refused) and JSON, and sends no
//   CORS header, so no page can reach it.
import type { FastifyError, FastifyPluginCallback } from 'fastify';
import { CONTROL_PATH, ownHosts, type SandboxAddresses } from './addresses.ts';
import { FaultListError, faultMenu } from './faults.ts';
import type { Fault } from './fault-table.ts';

const ACCOUNTS_PATH = `${CONTROL_PATH}/accounts`;
const MOST_BYTES = 64 * 1024;

/** What the route can change in its account. */
export interface ControlledAccount {
  readonly addresses: SandboxAddresses;
  readonly faults: readonly Fault[];
  /** @throws FaultListError */
  setFaults(list: unknown): void;
}

export interface AccountList<Account extends ControlledAccount = ControlledAccount> {
  /** Opens one more account. @throws AccountsFull */
  open(): Promise<Account>;
  /** Closes an account. @returns false when it is the first, which stays open */
  close(account: Account): Promise<boolean>;
}

/** The number of open accounts has reached its limit. */
export class AccountsFull extends Error {
  override readonly name = 'AccountsFull';
}

const problem = (error: string, problems: readonly string[] = []) => ({ error, problems });

/** The framework's message for a body that it cannot parse. */
const unreadable: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'application/json only',
  FST_ERR_CTP_BODY_TOO_LARGE: `at most ${MOST_BYTES} bytes`,
};

export const controlRoute =
  (account: ControlledAccount, accounts: AccountList): FastifyPluginCallback =>
  (app, _, done) => {
    app.removeContentTypeParser('text/plain');
    app.addHook('onRequest', ({ headers }, reply, next) => {
      const key = headers['x-api-key'];
      if (!ownHosts.test(headers.host ?? '')) return void reply.code(403).send(problem('loopback only'));
      if (key === undefined || key === account.addresses.apiKey) return next();
      void reply.code(404).send(problem('no account with this X-API-KEY'));
    });
    app.setErrorHandler<FastifyError>((error, _request, reply) => {
      if (error instanceof FaultListError) {
        return reply.code(400).send(problem('not a list of faults', error.problems));
      }
      if (error instanceof AccountsFull) return reply.code(503).send(problem(error.message));
      const status = error.statusCode ?? 500;
      if (status >= 500) console.error(error);
      return reply.code(status).send(problem(unreadable[error.code] ?? 'not JSON'));
    });
    app.get(CONTROL_PATH, () => ({ faults: faultMenu, in_force: account.faults }));
    app.post(CONTROL_PATH, { bodyLimit: MOST_BYTES }, (request) => {
      account.setFaults(request.body ?? null);
      return { in_force: account.faults };
    });
    app.route({
      method: ['PUT', 'DELETE', 'PATCH'],
      url: CONTROL_PATH,
      handler: (_request, reply) => reply.code(405).send(problem('GET or POST')),
    });
    app.post(ACCOUNTS_PATH, { bodyLimit: MOST_BYTES }, async (request, reply) => {
      if (!isEmptyObject(request.body)) return reply.code(400).send(problem('a body of {}'));
      return reply.code(201).send((await accounts.open()).addresses);
    });
    app.delete(ACCOUNTS_PATH, async (_request, reply) =>
      (await accounts.close(account))
        ? reply.code(204).send()
        : reply.code(403).send(problem('the first account stays open')),
    );
    done();
  };

const isEmptyObject = (body: unknown): boolean => JSON.stringify(body) === '{}';
