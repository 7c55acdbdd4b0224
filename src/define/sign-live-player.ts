// Defines `<sign-live-player>`.
import { SignLivePlayer } from '../elements/sign-live-player.ts';
import { safeDefine } from '../internal/safe-define.ts';

safeDefine('sign-live-player', SignLivePlayer);

declare global {
  interface HTMLElementTagNameMap {
    'sign-live-player': SignLivePlayer;
  }
}
