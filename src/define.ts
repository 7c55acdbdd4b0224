// `import 'sign-elements/define'`: defines every element of the product under its fixed tag name.
import './define/sign-translate.ts';
