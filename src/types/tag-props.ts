// What may be written on the tags of the elements, in any template language: their properties, under the names of the properties
// and of the attributes, and their events.
import type { SignAnnouncement } from '../elements/sign-announcement.ts';
import type { SignEventMap } from '../elements/sign-events.ts';
import type { SignLivePlayer } from '../elements/sign-live-player.ts';
import type { SignSilenceLoop } from '../elements/sign-silence-loop.ts';
import type { SignTranslate } from '../elements/sign-translate.ts';

/** The elements by their tags. */
export interface Tags {
  'sign-announcement': SignAnnouncement;
  'sign-live-player': SignLivePlayer;
  'sign-silence-loop': SignSilenceLoop;
  'sign-translate': SignTranslate;
}

type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Uppercase<First> ? (First extends Lowercase<First> ? First : `-${Lowercase<First>}`) : First}${Kebab<Rest>}`
  : Name;

/** A template writes numbers as text. */
type Written<Value> = number extends Value ? Value | `${number}` : Value;

/** `Name` where the property may be set, never where it can only be read. */
type IfSettable<Element, Name extends keyof Element> =
  (<Any>() => Any extends { [Key in Name]: Element[Key] } ? 1 : 2) extends <Any>() => Any extends {
    -readonly [Key in Name]: Element[Key];
  }
    ? 1
    : 2
    ? Name
    : never;

/** The properties of the element itself that a page may set. */
export type SettableName<Element> = {
  [Name in keyof Element]: Name extends keyof HTMLElement
    ? never
    : Element[Name] extends (...values: never[]) => unknown
      ? never
      : IfSettable<Element, Name>;
}[keyof Element] &
  string;

export type TagProps<Element> = {
  [Name in SettableName<Element>]?: Written<Element[Name]> | undefined;
} & { [Name in SettableName<Element> as Kebab<Name>]?: Written<Element[Name]> | undefined };

/** The events with this prefix before their names: `onsign-start`, `on:sign-start`. */
export type TagEvents<Prefix extends string> = {
  [Name in keyof SignEventMap as `${Prefix}${Name}`]?: ((event: SignEventMap[Name]) => void) | undefined;
};
