// Document 3 held to its sentences, case by case.
import { hold } from './hold.ts';
import { websocketCases } from './websocket/index.ts';

hold(3, websocketCases);
