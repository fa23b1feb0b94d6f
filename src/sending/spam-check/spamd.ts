import net from 'node:net';
import { SpamCheckFailed } from './score';
import type { SpamScore } from './score';

const PORT = 783;
const MOST_BYTES = 65_536;

const STATUS = /^SPAMD\/[\d.]+ (\d+)/;
const VERDICT = /^Spam:\s*(\w+)\s*;\s*(-?[\d.]+)\s*\/\s*(-?[\d.]+)/im;

/** Asks SpamAssassin's spamd about a message, one character a byte (spamd/PROTOCOL, `SYMBOLS`). Throws `SpamCheckFailed`. */
export async function askSpamd({ hostname, port }: URL, message: string, limitMs: number): Promise<SpamScore> {
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
