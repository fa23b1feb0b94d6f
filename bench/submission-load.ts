import net from 'node:net';
import tls from 'node:tls';
import type { Load } from './support/load';
import { filledMessage } from './support/message';

const CONNECTIONS = 50;

/** A program that has signed in, and hands in one message after another, as fast as they are answered. */
class Program {
  private text = '';
  private wake: () => void = () => undefined;

  private constructor(private socket: net.Socket) {
    this.listen();
  }

  private listen(): void {
    this.socket.on('data', (chunk: Buffer) => {
      this.text += chunk.toString('latin1');
      this.wake();
    });
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => this.wake());
  }

  static async signedIn(port: number, key: string): Promise<Program> {
    const program = new Program(net.connect({ port, host: '127.0.0.1' }));
    await program.replies(1);
    await program.say('EHLO program.test\r\n');
    await program.say('STARTTLS\r\n');
    program.socket.removeAllListeners('data');
    const secured = tls.connect({ socket: program.socket, rejectUnauthorized: false });
    await new Promise((resolve) => secured.once('secureConnect', resolve));
    program.socket = secured;
    program.listen();
    await program.say('EHLO program.test\r\n');
    await program.say(`AUTH PLAIN ${Buffer.from(`\0program\0${key}`).toString('base64')}\r\n`);
    return program;
  }

  private async replies(count: number): Promise<string> {
    for (;;) {
      const whole = new RegExp(`^(?:(?:\\d{3}-[^\\n]*\\n)*\\d{3} [^\\n]*\\n){${count}}`).exec(this.text)?.[0];
      if (whole !== undefined) {
        this.text = this.text.slice(whole.length);
        const refused = /^[45]\d\d.*$/m.exec(whole);
        if (refused) throw new Error(refused[0]);
        return whole;
      }
      if (this.socket.destroyed) throw new Error('The connection was closed');
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  private say(text: string, replies = 1): Promise<string> {
    this.socket.write(text);
    return this.replies(replies);
  }

  /** Hands a message in. Its envelope goes in one packet, as PIPELINING allows. */
  async handIn(to: string, mail: string): Promise<void> {
    await this.say(`MAIL FROM:<hello@hello.test>\r\nRCPT TO:<${to}>\r\nDATA\r\n`, 3);
    await this.say(`${mail}\r\n.\r\n`);
  }

  close(): void {
    this.socket.destroy();
  }
}

/** Returns the message of `load.ts` as a mail program writes it: with its values filled in. */
function mailOf(n: number): { readonly to: string; readonly mail: string } {
  const { to, from, subject, html } = filledMessage(n);
  const head = [`From: ${from}`, `To: ${to}`, `Subject: ${subject}`, `Message-ID: <${process.pid}.${Date.now()}.${n}@hello.test>`];
  const kind = ['Date: Sat, 1 Nov 2025 10:00:00 +0100', 'MIME-Version: 1.0', 'Content-Type: text/html; charset=utf-8'];
  return {
    to,
    mail: [...head, ...kind, 'Content-Transfer-Encoding: 7bit', '', html.replaceAll('</p>', '</p>\r\n')].join('\r\n'),
  };
}

/** Hands mail in over 50 connections, in its own process: `submission-load.ts <port> <key> <seconds>`. Prints one JSON line. */
async function main(): Promise<void> {
  const [port = '0', key = '', seconds = '5'] = process.argv.slice(2);
  const programs = await Promise.all(Array.from({ length: CONNECTIONS }, () => Program.signedIn(Number(port), key)));
  const times: number[] = [];
  let n = 0;
  const began = performance.now();
  const until = began + Number(seconds) * 1_000;
  const work = async (program: Program): Promise<void> => {
    while (performance.now() < until) {
      const { to, mail } = mailOf(n++);
      const sent = performance.now();
      await program.handIn(to, mail);
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(programs.map(work));
  const took = (performance.now() - began) / 1_000;
  for (const program of programs) program.close();
  const sorted = times.sort((a, b) => a - b);
  const at = (share: number): number => Math.round(sorted[Math.floor(sorted.length * share)] ?? Number.NaN);
  const result: Load = { perSecond: times.length / took, p50: at(0.5), p97: at(0.975), p99: at(0.99), failed: 0 };
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

void main();
