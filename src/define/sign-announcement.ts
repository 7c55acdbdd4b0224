// Defines `<sign-announcement>`.
import { SignAnnouncement } from '../elements/sign-announcement.ts';
import { safeDefine } from '../internal/safe-define.ts';

safeDefine('sign-announcement', SignAnnouncement);

declare global {
  interface HTMLElementTagNameMap {
    'sign-announcement': SignAnnouncement;
  }
}
