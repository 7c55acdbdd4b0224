// The process of one live session: takes its order, runs it, tells what comes of it. Policy: it lives as long as whoever
// started it, and ends by SIGKILL, because ending in order would wait for native calls that wait for a source.
import type { LiveCommand, LiveNews } from './live-messages.ts';
import { boundMemory } from './memory-bound.ts';
import { SessionMedia } from './session-media.ts';

const tell = (news: LiveNews): void => {
  if (process.connected) process.send!(news, () => {});
};

let session: SessionMedia | null = null;

boundMemory(() => tell({ kind: 'over', problem: 'the source takes too much memory' }));

// FFmpeg would fetch by it what the sandbox, which looks at every source before, fetches straight from where it is.
delete process.env['http_proxy'];

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (message) => {
  const command = message as LiveCommand;
  if (command.kind === 'stop') return session?.stop();
  session = new SessionMedia(command.order, command.render, command.patienceMs, tell);
  void session.run().then((problem) => tell({ kind: 'over', problem }));
});
