// Defines `<sign-silence-loop>`.
import { SignSilenceLoop } from '../elements/sign-silence-loop.ts';
import { safeDefine } from '../internal/safe-define.ts';

safeDefine('sign-silence-loop', SignSilenceLoop);

declare global {
  interface HTMLElementTagNameMap {
    'sign-silence-loop': SignSilenceLoop;
  }
}
