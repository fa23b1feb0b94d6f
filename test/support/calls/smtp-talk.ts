import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';

/** A conversation with an SMTP server, command by command. */
export class SmtpTalk {
  private text = '';
  private ended = false;
  private changed: () => void = () => undefined;
  private socket: net.Socket;

  private constructor(port: number, localAddress: string) {
    this.socket = net.connect({ port, host: '127.0.0.1', localAddress });
    this.listen();
  }

  private listen(): void {
    this.socket.on('data', (chunk) => {
      this.text += chunk.toString();
      this.changed();
    });
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      this.ended = true;
      this.changed();
    });
  }

  /** From one of the addresses of this machine: all of 127.0.0.0/8 are. */
  static async open(port: number, localAddress = '127.0.0.1'): Promise<SmtpTalk> {
    const talk = new SmtpTalk(port, localAddress);
    await once(talk.socket, 'connect');
    return talk;
  }

  /** Begins TLS. Resolves to the certificate that the server shows. */
  async secure(): Promise<tls.DetailedPeerCertificate> {
    const plain = this.socket;
    plain.removeAllListeners('data');
    const secured = tls.connect({ socket: plain, rejectUnauthorized: false });
    await once(secured, 'secureConnect');
    this.socket = secured;
    this.listen();
    return secured.getPeerCertificate(true);
  }

  /** The text that is not read yet. */
  get unread(): string {
    return this.text;
  }

  /** The next whole reply, or what came of it when the server has hung up. */
  async reply(): Promise<string> {
    for (;;) {
      const whole = /^(?:\d{3}-[^\n]*\n)*\d{3} [^\n]*\n/.exec(this.text)?.[0];
      if (whole !== undefined) {
        this.text = this.text.slice(whole.length);
        return whole.trim();
      }
      if (this.ended) return this.text;
      await new Promise<void>((resolve) => (this.changed = resolve));
    }
  }

  write(bytes: string | Buffer): void {
    this.socket.write(bytes);
  }

  async say(command: string): Promise<string> {
    this.write(`${command}\r\n`);
    return this.reply();
  }

  close(): void {
    this.socket.destroy();
  }
}

export interface Letter {
  /** Empty: the null sender. */
  readonly from?: string;
  readonly to: string | readonly string[];
  readonly data: string | Buffer;
}

export interface Delivered {
  /** The reply to each recipient. */
  readonly recipients: readonly string[];
  /** The reply to the message; null when no recipient was taken. */
  readonly data: string | null;
}

function onTheWire(data: string | Buffer): Buffer {
  const bytes = typeof data === 'string' ? Buffer.from(data.replace(/\r?\n/g, '\r\n').replace(/^\./gm, '..')) : data;
  return bytes.length === 0 || bytes.subarray(-2).toString() === '\r\n' ? bytes : Buffer.concat([bytes, Buffer.from('\r\n')]);
}

/** Hands a message in as another mail host does, in a connection of its own. */
export async function deliver(port: number, { from = '', to, data }: Letter): Promise<Delivered> {
  const talk = await SmtpTalk.open(port);
  await talk.reply();
  await talk.say('EHLO mx.elsewhere.test');
  await talk.say(`MAIL FROM:<${from}>`);
  const recipients: string[] = [];
  for (const recipient of [to].flat()) recipients.push(await talk.say(`RCPT TO:<${recipient}>`));
  let answer: string | null = null;
  if (recipients.some((reply) => reply.startsWith('250'))) {
    await talk.say('DATA');
    talk.write(onTheWire(data));
    answer = await talk.say('.');
  }
  await talk.say('QUIT');
  talk.close();
  return { recipients, data: answer };
}
