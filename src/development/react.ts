// `sign-elements/react` under the condition `development`.
import './checks.ts';

export * from '../react.ts';
