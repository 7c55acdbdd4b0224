// One lint for the whole repository.
// - Typed rules where promises and unions can go wrong, lit's and wc's rules for elements.
// - A file has at most 300 lines. Import directions and cycles: .dependency-cruiser.mjs.
import tseslint from 'typescript-eslint';
import { configs as lit } from 'eslint-plugin-lit';
import { configs as wc } from 'eslint-plugin-wc';

export default tseslint.config(
  { ignores: ['dist/', '.build/', '.browser/', 'coverage/'] },
  ...tseslint.configs.recommended,
  { rules: { 'max-lines': ['error', 300], 'guard-for-in': 'error' } },
  {
    files: ['{src,proxy,demo,test}/**/*.ts'],
    ignores: ['**/*.d.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      eqeqeq: 'error',
      'no-console': 'off',
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            { from: 'package', name: ['test', 'it', 'describe', 'suite'], package: 'node:test' },
            // Synchronous; a plug-in of @open-wc/testing declares a promise.
            { from: 'package', name: ['Equal'], package: 'chai' },
          ],
        },
      ],
      '@typescript-eslint/no-unused-expressions': 'off',
    },
  },
  { ...lit['flat/recommended'], files: ['src/**/*.ts'] },
  { ...wc['flat/best-practice'], files: ['src/**/*.ts'] },
);
