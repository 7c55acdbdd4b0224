// `sign-elements/define/sign-announcement` under the condition `development`.
import '../checks.ts';
import '../../define/sign-announcement.ts';
