// `sign-elements/define` under the condition `development`.
import './checks.ts';
import '../define.ts';
