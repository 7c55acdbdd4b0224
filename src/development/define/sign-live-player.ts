// `sign-elements/define/sign-live-player` under the condition `development`.
import '../checks.ts';
import '../../define/sign-live-player.ts';
