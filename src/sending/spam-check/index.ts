import net from 'node:net';
import { z } from 'zod';
import type { Core } from '../../platform/core';

/** The verdict of a spam filter about a message. */
export interface SpamScore {
  readonly score: number;
  /** The score from which on the filter takes a message for spam; null where it does not say. */
  readonly threshold: number | null;
  readonly isSpam: boolean;
  /** The names of the rules that counted, the heaviest first where their weights are known. */
  readonly rules: readonly string[];
}

/** The spam filter did not answer, or not as such a filter does. */
class SpamCheckFailed extends Error {
  override readonly name = 'SpamCheckFailed';
}

const ANSWER_MS = 10_000;

/**
 * Asks the operator's spam filter about a composed message, one character a byte. Resolves to `failed` when it gives no verdict; null where none is
 * configured. Nothing of the message is logged.
 */
export async function spamScore({ config, log }: Pick<Core, 'config' | 'log'>, message: string): Promise<SpamScore | 'failed' | null> {
  if (config.SPAM_CHECK_URL === undefined) return null;
  const url = new URL(config.SPAM_CHECK_URL);
  const ask = url.protocol === 'spamd:' ? askSpamd : askRspamd;
  try {
    return await ask(url, message, ANSWER_MS);
  } catch (error) {
    // Its name only: an answer that cannot be read may repeat what was asked.
    log.warn({ reason: (error as Error).name }, 'The spam filter gave no verdict');
    return 'failed';
  }
}

/** An answer of rspamd (rspamd: Worker protocol). */
const Answer = z.object({
  action: z.string(),
  score: z.number(),
  required_score: z.number().optional(),
  symbols: z.record(z.string(), z.object({ score: z.number().default(0) })).default({}),
});

const CLEAN = 'no action';

/** Asks rspamd about a message, one character a byte. `base`: its URL, with or without `/checkv2`. Throws `SpamCheckFailed`. */
async function askRspamd(base: URL, message: string, limitMs: number): Promise<SpamScore> {
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

const PORT = 783;
const MOST_BYTES = 65_536;

const STATUS = /^SPAMD\/[\d.]+ (\d+)/;
const VERDICT = /^Spam:\s*(\w+)\s*;\s*(-?[\d.]+)\s*\/\s*(-?[\d.]+)/im;

/** Asks SpamAssassin's spamd about a message, one character a byte (spamd/PROTOCOL, `SYMBOLS`). Throws `SpamCheckFailed`. */
async function askSpamd({ hostname, port }: URL, message: string, limitMs: number): Promise<SpamScore> {
  const bytes = Buffer.from(message, 'latin1');
  const request = Buffer.concat([Buffer.from(`SYMBOLS SPAMC/1.2\r\nContent-length: ${bytes.length}\r\n\r\n`), bytes]);
  const answer = await exchange(hostname, port === '' ? PORT : Number(port), request, limitMs);
  const [head = '', symbols = ''] = answer.split(/\r?\n\r?\n/);
  const [, said = '', score, threshold] = VERDICT.exec(head) ?? [];
  if (STATUS.exec(head)?.[1] !== '0' || score === undefined) throw new SpamCheckFailed('The spam filter gave no verdict');
  const rules = symbols.split(/[\s,]+/).filter((name) => name !== '');
  return { score: Number(score), threshold: Number(threshold), isSpam: /^(true|yes)$/i.test(said), rules };
}

function exchange(hostname: string, port: number, request: Buffer, limitMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: hostname.replace(/^\[|\]$/g, ''), port });
    const timer = setTimeout(() => socket.destroy(new SpamCheckFailed('The spam filter did not answer in time')), limitMs);
    let answer = '';
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      answer += text;
      if (answer.length > MOST_BYTES) socket.destroy(new SpamCheckFailed('The reply of the spam filter is too large'));
    });
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(answer);
    });
    // Not half-closed: some versions take that for the end of the client.
    socket.write(request);
  });
}
