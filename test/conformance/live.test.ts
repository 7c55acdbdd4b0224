// The live half of document 2, held to its sentences, case by case.
import { hold } from './hold.ts';
import { liveCases } from './live/index.ts';

hold(2, liveCases);
