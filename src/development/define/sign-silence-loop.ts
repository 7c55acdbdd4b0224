// `sign-elements/define/sign-silence-loop` under the condition `development`.
import '../checks.ts';
import '../../define/sign-silence-loop.ts';
