import { freePort } from '../../test/support/run/servers';
import { smtpUrlOf } from './mail-server';
import type { MailServer } from './mail-server';
import { Ground, Measured } from './processes';

/** The servers, an API process and a mail sink, with a client of the API; each benchmark starts its own workers. */
export class BenchPlatform {
  private constructor(
    readonly ground: Ground,
    readonly api: Measured,
    readonly mailServer: MailServer,
    private readonly sink: Measured | null,
    readonly url: string,
  ) {}

  /** Starts a platform whose mail goes to its own sink, or to `mailServer`. */
  static async start(more: Readonly<Record<string, string>> = {}, mailServer: MailServer | null = null): Promise<BenchPlatform> {
    const [sinkPort, port] = [await freePort(), await freePort()];
    const sink = mailServer ? null : await Measured.start('bench/sink.ts', [String(sinkPort)], {}, 'listening');
    const mail = mailServer ?? { host: '127.0.0.1', port: sinkPort, pid: sink?.pid ?? null };
    const ground = await Ground.prepare({
      NODE_ENV: 'development',
      DEV_VERIFIED_DOMAINS: 'hello.test',
      SMTP_URL: smtpUrlOf(mail),
      PORT: String(port),
      ...more,
    });
    const url = `http://127.0.0.1:${port}`;
    const api = await Measured.start('api/main.ts', [], ground.env, `${url}/v1/health`);
    return new BenchPlatform(ground, api, mail, sink, url);
  }

  worker(more: Readonly<Record<string, string>> = {}): Promise<Measured> {
    return Measured.start('worker/main.ts', [], { ...this.ground.env, LOG_LEVEL: 'info', ...more }, 'Worker is ready');
  }

  /** Reads how many messages the sink has accepted so far. */
  async taken(): Promise<number> {
    if (!this.sink) throw new Error('The mail server is not ours to ask');
    return Number(await this.sink.ask('count'));
  }

  async call(method: string, path: string, body?: unknown, key = this.ground.keys.secret): Promise<Record<string, unknown>> {
    const answer = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { success, data, ...failure } = (await answer.json()) as { success: boolean; data: Record<string, unknown> };
    if (!success) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(failure)}`);
    return data;
  }

  async stop(): Promise<void> {
    await Promise.all([this.api.stop(), this.sink?.stop()]);
    await this.ground.clear();
  }
}
