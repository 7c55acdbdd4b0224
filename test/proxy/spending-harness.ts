// Paid requests for tests of spending, what the metrics of a proxy say that its site has spent, and what it decides.
import type { Spending } from '../../proxy/limits/spending.ts';
import type { ProblemError } from '../../proxy/problem.ts';
import type { MountedProxy } from './mounted-proxy.ts';

/** The total of the only site; 0 when the metrics do not name it. */
export async function spentBy(
  { origin }: Pick<MountedProxy, 'origin'>,
  what: 'video_seconds' | 'characters',
): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  return Number(
    new RegExp(`^sign_proxy_${what}_total\\{site="\\w+"\\} (\\S+)$`, 'm').exec(metrics)?.[1] ?? 0,
  );
}

/** A paid request for this text. */
export const generate = (
  { origin }: Pick<MountedProxy, 'origin'>,
  data = 'Hello.',
  signal?: AbortSignal,
): Promise<Response> =>
  fetch(`${origin}/sign/v2/generate`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ content: { data } }),
    ...(signal && { signal }),
  });

/** Metrics that nobody reads. */
export const silent = {
  limitHit: () => undefined,
  videoSpent: () => undefined,
  charactersSpent: () => undefined,
};
export const NO_CAPS = {
  dailySeconds: null,
  monthlySeconds: null,
  dailyCharacters: null,
  monthlyCharacters: null,
};

/** `pass`, or the code with which the next paid request is refused. */
export async function decision(spending: Spending): Promise<string> {
  try {
    await spending.check();
    return 'pass';
  } catch (error) {
    return (error as ProblemError).code;
  }
}
