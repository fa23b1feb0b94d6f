import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Line } from '../../support/servers/line';

const HOOK = path.join(__dirname, 'through-lines.cjs');

export type Side = 'MongoDB' | 'the mail server';

/** All that the processes of one machine reach their servers by. */
export class Wires {
  private constructor(
    private readonly lines: Readonly<Record<Side, readonly Line[]>>,
    /** The environment of a process that uses them. */
    readonly env: Readonly<Record<string, string>>,
  ) {}

  static async to(mongods: readonly { readonly port: number }[], mailPort: number): Promise<Wires> {
    const mail = new Line({ host: '127.0.0.1', port: mailPort });
    const members = mongods.map(({ port }) => ({ port, line: new Line({ host: '127.0.0.1', port }) }));
    const ports = await Promise.all(members.map(async ({ port, line }) => [port, await line.listen()] as const));
    const env = {
      NODE_OPTIONS: `--require ${JSON.stringify(HOOK)}`,
      LETTERMILL_TEST_LINES: JSON.stringify(Object.fromEntries(ports)),
      SMTP_URL: `smtp://127.0.0.1:${await mail.listen()}`,
    };
    return new Wires({ MongoDB: members.map(({ line }) => line), 'the mail server': [mail] }, env);
  }

  /** A black hole: nothing arrives and nothing is closed for some time, then every connection is closed. Throws if the processes do not use these wires. */
  async cut(side: Side, ms: number): Promise<void> {
    const before = this.swallowed;
    for (const line of this.lines[side]) line.goSilent();
    await pause(ms);
    for (const line of this.lines[side]) line.hangUp();
    // Whoever uses MongoDB asks it every few seconds whether it still answers; mail may be none.
    if (side === 'MongoDB' && this.swallowed === before) throw new Error('No process uses these wires');
  }

  /** Number of pieces that black holes swallowed on the way to a server. */
  get swallowed(): number {
    return Object.values(this.lines)
      .flat()
      .reduce((sum, { lost }) => sum + lost, 0);
  }

  async close(): Promise<void> {
    await Promise.all(
      Object.values(this.lines)
        .flat()
        .map((line) => line.goAway()),
    );
  }
}
