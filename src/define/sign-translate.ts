// Defines `<sign-translate>`.
import { SignTranslate } from '../elements/sign-translate.ts';
import { safeDefine } from '../internal/safe-define.ts';

safeDefine('sign-translate', SignTranslate);

declare global {
  interface HTMLElementTagNameMap {
    'sign-translate': SignTranslate;
  }
}
