// What a test's stage does so that record.mjs hears of its proxy. Where nothing is recorded it does nothing.
import { channel } from 'node:diagnostics_channel';
import { secretsOf, type Config } from '../../proxy/config.ts';

/** For a child process whose environment is otherwise of the test's own making. */
export const recordingEnv = (): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: process.env.NODE_OPTIONS,
  SIGN_TEST_RECORDS: process.env.SIGN_TEST_RECORDS,
});

/** Names the secrets of a proxy in this process: the operator's token goes up nowhere. */
export const tellSecrets = (config: Config): void => channel('sign-test.secrets').publish(secretsOf(config));
