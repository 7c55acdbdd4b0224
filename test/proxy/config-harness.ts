// Fixtures of the tests of the configuration: a valid environment, and the problems that readConfig finds in an invalid one.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, readConfig } from '../../proxy/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export const API = { SIGN_API_URL: 'https://api.example.org/base' };

export function problemsOf(env: NodeJS.ProcessEnv): ConfigError {
  try {
    readConfig(env);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error;
  }
  throw new assert.AssertionError({ message: 'the configuration was accepted' });
}

export const named = (env: NodeJS.ProcessEnv): string[] =>
  problemsOf(env).problems.map(({ variable }) => variable);

export function secretFile(content: string): string {
  const directory = temporaryFolder();
  const file = join(directory, 'secret');
  writeFileSync(file, content);
  return file;
}

export const secrets = ['SIGN_API_KEY', 'SIGN_OPERATOR_TOKEN', 'SIGN_CLIENT_SECRET', 'SIGN_REDIS_URL'];
export const transport = {
  SIGN_TRANSPORT_URL: 'https://t.example',
  SIGN_AUTH_URL: 'https://a.example',
  SIGN_CLIENT_ID: 'client',
};
