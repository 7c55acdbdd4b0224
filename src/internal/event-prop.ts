// How frameworks that know no event listeners in their props spell one: `sign-start` is `onSignStart`.

type Pascal<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Capitalize<Head>}${Pascal<Tail>}`
  : Capitalize<Name>;

/** The prop that listens to an event. */
export type EventProp<Name extends string> = `on${Pascal<Name>}`;
