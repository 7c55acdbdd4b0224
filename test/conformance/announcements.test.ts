// Document 1 held to its sentences, case by case.
import { announcementCases } from './announcements/index.ts';
import { hold } from './hold.ts';

hold(1, announcementCases);
