// Lets record.mjs record the proxy of a test. In a run that is not recorded it has no effect.
import { channel } from 'node:diagnostics_channel';
import { secretsOf, type Config } from '../../proxy/config.ts';

/** For a child process that otherwise gets only variables of the test. */
export const recordingEnv = (): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: process.env.NODE_OPTIONS,
  SIGN_TEST_RECORDS: process.env.SIGN_TEST_RECORDS,
});

/** Records the secrets of a proxy in this process. The operator's token is sent to no service, where record.mjs would see it. */
export const recordSecrets = (config: Config): void =>
  channel('sign-test.secrets').publish(secretsOf(config));
