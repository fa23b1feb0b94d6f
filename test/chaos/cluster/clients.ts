import { setTimeout as pause } from 'node:timers/promises';
import { handIn, lines, signedInAt } from '../../support/platform/submission';
import type { SmtpTalk } from '../../support/calls/smtp-talk';

const RETRY_MS = 200;
/** A client waits this long for an answer, and this long altogether, in milliseconds. */
const [ANSWER_MS, LONGEST_MS] = [60_000, 5 * 60_000];

/** Asks for one thing for an address, with a key made of it. Resolves to whether it was accepted; throws when it was refused for good. */
type Ask = (address: string) => Promise<boolean>;

/** Asks for one thing after another; each again until it is accepted, as a client should. */
export class Client {
  /** The address of each. */
  readonly accepted: string[] = [];
  /** Requests without an answer, or with one that says to try again. */
  again = 0;
  longestMs = 0;
  private over = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly name: string,
    private readonly ask: Ask,
    private readonly everyMs: number,
  ) {
    this.running = this.run();
    // Looked at by `stop`.
    this.running.catch(() => undefined);
  }

  /** Resolves once the last one is accepted. Rejects when one was refused for good. */
  async stop(): Promise<void> {
    this.over = true;
    await this.running;
  }

  private async run(): Promise<void> {
    for (let n = 0; !this.over; n++) {
      const address = `${this.name}-${n}@example.com`;
      const began = performance.now();
      for (; !(await this.ask(address)); await pause(RETRY_MS)) {
        this.again++;
        if (performance.now() - began > LONGEST_MS) throw new Error(`${address} was not accepted in time`);
      }
      this.longestMs = Math.max(this.longestMs, performance.now() - began);
      this.accepted.push(address);
      await pause(this.everyMs);
    }
  }
}

const mayComeAgain = (status: number, text: string): boolean =>
  status === 503 || (status === 409 && text.includes('idempotency_in_progress'));

/** Posts to the API, with the address as the Idempotency-Key. */
export const overHttp =
  (url: string, key: string, bodyOf: (address: string) => unknown): Ask =>
  async (address) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': address },
      body: JSON.stringify(bodyOf(address)),
      signal: AbortSignal.timeout(ANSWER_MS),
    })
      .then(async (response) => ({ ok: response.ok, status: response.status, text: await response.text() }))
      .catch(() => null);
    if (answer === null || mayComeAgain(answer.status, answer.text)) return false;
    if (!answer.ok || answer.text.includes('"skipped":"')) throw new Error(`${address} was refused: ${answer.status} ${answer.text}`);
    return true;
  };

const messageTo = (address: string): string =>
  lines(
    'From: shop@hello.test',
    `To: ${address}`,
    'Subject: Order',
    `Message-ID: <${address.replace('@', '-at-')}@hello.test>`,
    '',
    'Sent.',
  );

/** Hands messages in over SMTP, on one connection as long as it holds, each with a Message-ID of its own. */
export function overSmtp(port: number, key: string): Ask {
  let talk: SmtpTalk | null = null;
  const answer = async (address: string): Promise<string> => {
    talk ??= await signedInAt(port, key);
    return handIn(talk, [address], messageTo(address));
  };
  return async (address) => {
    const reply = await Promise.race([answer(address), pause(ANSWER_MS, '', { ref: false })]).catch(() => '');
    if (reply.startsWith('250 ')) return true;
    talk?.close();
    talk = null;
    if (reply.startsWith('5')) throw new Error(`${address} was refused: ${reply}`);
    return false;
  };
}
