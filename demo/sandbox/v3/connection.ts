// One connection of the V3 protocol: its three states and their transitions (document 3, States and transitions). It uses an
// interface in place of a WebSocket, so that tests can drive it.
//
//   connected --session.start, valid--> ready        session.ready
//   connected --anything else---------> connected    session_not_started, or what is wrong with the session.start
//   ready     --session.end-----------> closed       session.summary
//   ready     --idle for an hour------> closed       session_expired
//   any       --error of severity session--> closed
//   any       --socket gone-----------> closed
//
// - What the table does not show is in ASSUMPTIONS.md.
// - Any message restarts the idle limit. Protocol pings do not.
import { type ClientFrame, readClientMessage, type SessionStartFrame } from './client-frames.ts';
import { StreamsFull } from '../streams/stream-service.ts';
import { applyConfig, type AppliedConfig } from './session-config.ts';
import { errorFrame, readyFrame, type ServerFrame, summaryFrame } from './frames.ts';
import type { V3Service } from './service.ts';
import type { SendFrame, V3Session } from './session.ts';
import { StreamSession, TranslateSession } from './session-modes.ts';

/** The members of a socket that the protocol needs. */
interface V3Socket {
  send(data: string): void;
  /** Closing handshake with a code of RFC 6455. */
  close(code: number): void;
  /** Closes without a handshake. */
  drop(): void;
}

const NORMAL = 1000;

type State =
  | { readonly name: 'connected' }
  | { readonly name: 'ready'; readonly session: V3Session }
  | { readonly name: 'closed' };

export class V3Connection {
  readonly #service: V3Service;
  readonly #socket: V3Socket;
  #state: State = { name: 'connected' };
  #stopIdle: () => void = () => {};
  #framesSent = 0;
  #errors = 0;
  #bytes = 0;

  constructor(service: V3Service, socket: V3Socket) {
    this.#service = service;
    this.#socket = socket;
  }

  /** A text frame has arrived. */
  receive(data: string): void {
    if (this.#state.name === 'closed') return;
    this.#bytes += Buffer.byteLength(data);
    const message = readClientMessage(data);
    if (this.#state.name === 'ready') this.#watchIdle();
    if (message.kind === 'frame') return this.#handle(message.frame);
    const { type, ref, code, message: text } = message;
    if (this.#state.name === 'ready') return this.#send(errorFrame(code, ref, text));
    // Before a session, the answer says what is wrong only for a frame without a type and for a session.start.
    if (type === null || type === 'session.start') this.#send(errorFrame(code, '', text));
    else this.#refuseUnstarted();
  }

  /** A binary frame has arrived: all messages must be JSON text. */
  receiveBinary(size: number): void {
    if (this.#state.name === 'closed') return;
    this.#bytes += size;
    if (this.#state.name === 'ready') this.#watchIdle();
    this.#send(errorFrame('invalid_message', '', 'a binary frame'));
  }

  /** The socket is closed. */
  closed(): void {
    this.#stopIdle();
    const state = this.#state;
    this.#state = { name: 'closed' };
    if (state.name === 'ready') state.session.closed();
  }

  #handle(frame: ClientFrame): void {
    const state = this.#state;
    if (state.name !== 'ready') {
      if (frame.type === 'session.start') this.#start(frame);
      else this.#refuseUnstarted();
      return;
    }
    switch (frame.type) {
      case 'session.start':
        return this.#send(errorFrame('invalid_session_start', '', 'the session has begun'));
      case 'text':
        return state.session.text(frame);
      case 'result.fetch':
        return state.session.fetch(frame);
      case 'session.end':
        state.session.end();
        this.#send(summaryFrame(state.session.id, state.session.usage(this.#errors, this.#bytes)));
        return this.#close();
    }
  }

  #refuseUnstarted(): void {
    this.#send(errorFrame('session_not_started', '', 'session.start must be the first message'));
  }

  #start(frame: SessionStartFrame): void {
    const config = applyConfig(frame);
    if ('problem' in config) return this.#send(errorFrame('invalid_session_start', '', config.problem));
    let session: V3Session;
    try {
      session = this.#open(frame, config);
    } catch (error) {
      if (!(error instanceof StreamsFull)) throw error;
      return this.#send(errorFrame('gloss_unavailable', '', 'too many streams are growing'));
    }
    this.#state = { name: 'ready', session };
    this.#send(readyFrame(session.id, config, this.#service.deps.limits(), session.readyFields));
    this.#watchIdle();
  }

  /** @throws StreamsFull */
  #open({ mode, config: { debug = false } }: SessionStartFrame, config: AppliedConfig): V3Session {
    const out: SendFrame = (sent) => this.#send(sent);
    return mode === 'stream'
      ? new StreamSession(this.#service.deps, config, debug, out)
      : new TranslateSession(this.#service, config, debug, out);
  }

  /** Restarts the hour of the idle limit. */
  #watchIdle(): void {
    this.#stopIdle();
    const { clock, limits } = this.#service.deps;
    this.#stopIdle = clock.after(limits().session_idle_seconds * 1000, () =>
      this.#send(errorFrame('session_expired', '', 'no message for too long')),
    );
  }

  #send(frame: ServerFrame | string): void {
    if (this.#state.name === 'closed') return;
    const data = typeof frame === 'string' ? frame : JSON.stringify(frame);
    this.#bytes += Buffer.byteLength(data);
    this.#socket.send(data);
    this.#framesSent += 1;
    if (typeof frame !== 'string' && frame.type === 'error') {
      this.#errors += 1;
      if (frame['severity'] === 'session') return this.#close();
    }
    if (
      this.#service.deps.faults.take('drop_socket', ({ after_frames }) => this.#framesSent >= after_frames)
    ) {
      this.closed();
      this.#socket.drop();
    }
  }

  #close(): void {
    this.closed();
    this.#socket.close(NORMAL);
  }
}
