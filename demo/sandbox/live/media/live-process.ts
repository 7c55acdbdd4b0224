// The process of one live session: gets its specification, runs it and reports.
// - It ends when its parent has ended.
// - It ends itself by SIGKILL, because a normal exit would wait for native calls, and these wait for a source.
import { boundMemory } from '../child-processes.ts';
import type { LiveCommand, LiveNews } from './live-messages.ts';
import { SessionMedia } from './session-media.ts';

const tell = (news: LiveNews): void => {
  if (process.connected) process.send!(news, () => {});
};

let session: SessionMedia | null = null;

boundMemory(() => tell({ kind: 'over', problem: 'the source takes too much memory' }));

// With a proxy variable, FFmpeg would fetch sources through that proxy; the sandbox checks them by a direct request.
delete process.env['http_proxy'];

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (message) => {
  const command = message as LiveCommand;
  if (command.kind === 'stop') return session?.stop();
  session = new SessionMedia(command.spec, command.render, command.maxAwayMs, tell);
  void session.run().then((problem) => tell({ kind: 'over', problem }));
});
tell({ kind: 'loaded' });
