// The public session (document 3): a ServiceSession over the V3 socket alone.
import { ServiceSession } from './service-session.ts';
import type { SignCall, SignOptions, SignSessionOptions } from './session-options.ts';

export class SignSession extends ServiceSession {
  constructor(options: SignSessionOptions) {
    super({ ...options, transport: 'v3' });
  }

  override sign(text: string, options?: SignOptions): SignCall {
    return super.sign(text, options);
  }
}
