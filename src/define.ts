// `import 'sign-elements/define'`: defines every element of the product under its fixed tag name.
import './define/sign-announcement.ts';
import './define/sign-live-player.ts';
import './define/sign-silence-loop.ts';
import './define/sign-translate.ts';
