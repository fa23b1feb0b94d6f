import { z } from 'zod';
import { SpamCheckFailed } from './score';
import type { SpamScore } from './score';

/** An answer of rspamd (rspamd: Worker protocol). */
const Answer = z.object({
  action: z.string(),
  score: z.number(),
  required_score: z.number().optional(),
  symbols: z.record(z.string(), z.object({ score: z.number().default(0) })).default({}),
});

const CLEAN = 'no action';

/** Asks rspamd about a message, one character a byte. `base`: its URL, with or without `/checkv2`. Throws `SpamCheckFailed`. */
export async function askRspamd(base: URL, message: string, limitMs: number): Promise<SpamScore> {
  const url = new URL(base);
  if (!url.pathname.endsWith('/checkv2')) url.pathname = `${url.pathname.replace(/\/$/, '')}/checkv2`;
  const { action, score, required_score: threshold = null, symbols } = Answer.parse(await post(url, message, limitMs));
  const rules = Object.entries(symbols)
    .filter(([, symbol]) => symbol.score > 0)
    .sort(([, a], [, b]) => b.score - a.score)
    .map(([name]) => name);
  return { score, threshold, isSpam: action !== CLEAN, rules };
}

async function post(url: URL, message: string, limitMs: number): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    body: Buffer.from(message, 'latin1'),
    signal: AbortSignal.timeout(limitMs),
    redirect: 'error',
  });
  if (!response.ok) throw new SpamCheckFailed(`The spam filter answered HTTP ${response.status}`);
  return response.json();
}
