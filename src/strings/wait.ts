// English texts of a wait that the service has asked for, which are loaded with it.

export const waitEn = {
  /** `{time}` is a number of seconds or minutes, in words of the language. */
  busy: 'The signing service is busy. It goes on in {time}.',
};

export type WaitStrings = typeof waitEn;
