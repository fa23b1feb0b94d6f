import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

const [ASK_EVERY_MS, ANSWER_MS] = [500, 2_000];

/** A process that takes connections. */
export interface Backend {
  readonly port: number;
  /** URL that answers 200 while it can take more. */
  readonly ready: string;
}

/** A balancer on loopback: hands each connection to the next process that is ready, and ends those of a process that no longer is. */
export class Balancer {
  /** How often a process was left out. */
  leftOut = 0;
  private readonly backends: readonly (Backend & { isReady: boolean; readonly clients: Set<net.Socket> })[];
  private readonly server = net.createServer((client) => this.handOn(client));
  private readonly timer: NodeJS.Timeout;
  private turn = 0;

  private constructor(backends: readonly Backend[]) {
    this.backends = backends.map((backend) => ({ ...backend, isReady: true, clients: new Set() }));
    this.timer = setInterval(() => void this.askAll(), ASK_EVERY_MS);
  }

  static async start(backends: readonly Backend[]): Promise<Balancer> {
    const balancer = new Balancer(backends);
    await new Promise<void>((resolve) => balancer.server.listen(0, '127.0.0.1', resolve));
    return balancer;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get isWhole(): boolean {
    return this.backends.every(({ isReady }) => isReady);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const { clients } of this.backends) for (const client of clients) client.destroy();
    await closed;
  }

  private async askAll(): Promise<void> {
    await Promise.all(
      this.backends.map(async (backend) => {
        const wasReady = backend.isReady;
        backend.isReady = await fetch(backend.ready, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
          ({ ok }) => ok,
          () => false,
        );
        if (backend.isReady || !wasReady) return;
        this.leftOut++;
        for (const client of backend.clients) client.destroy();
      }),
    );
  }

  private handOn(client: net.Socket): void {
    const ready = this.backends.filter(({ isReady }) => isReady);
    const backend = ready[this.turn++ % ready.length];
    if (!backend) return void client.destroy();
    backend.clients.add(client.on('close', () => backend.clients.delete(client)));
    pipeline(client, net.connect(backend.port, '127.0.0.1'), client, () => undefined);
  }
}
