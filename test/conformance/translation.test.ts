// Document 2, without its live half, held to its sentences, case by case.
import { hold } from './hold.ts';
import { translationCases } from './translation/index.ts';

hold(2, translationCases);
