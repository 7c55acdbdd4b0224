// Why a file was not remuxed. Policy: two reasons and no more, because whoever asked does the same at either: it plays the
// file as it is.

export class RemuxError extends Error {
  override readonly name = 'RemuxError';
  /** `unsupported`: sound, but not to be said in one fragment that starts at 0. `malformed`: breaks its own format, or ends early. */
  readonly kind: 'unsupported' | 'malformed';

  constructor(kind: 'unsupported' | 'malformed', message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** @throws RemuxError `malformed`, unless the condition holds */
export function expect(condition: boolean, broken: string): asserts condition {
  if (!condition) throw new RemuxError('malformed', broken);
}

/** @throws RemuxError `unsupported`, unless the condition holds */
export function support(condition: boolean, what: string): asserts condition {
  if (!condition) throw new RemuxError('unsupported', what);
}
