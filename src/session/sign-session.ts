// The public session of `sign-elements/client`: over the V3 socket alone (document 3).
import { findManifests } from '../protocol/find-url.ts';
import { ServiceSession } from './service-session.ts';
import type { PendingUtterance, SignOptions, SignSessionOptions } from './session-types.ts';

export class SignSession extends ServiceSession {
  constructor(options: SignSessionOptions) {
    super({ ...options, transport: 'v3', findManifests });
  }

  override sign(text: string, options?: SignOptions): PendingUtterance {
    return super.sign(text, options);
  }
}
