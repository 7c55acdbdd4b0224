// `sign-elements/define/sign-translate` under the condition `development`.
import '../checks.ts';
import '../../define/sign-translate.ts';
