import net from 'node:net';

/** A proxy between the platform and its database that can go silent or disconnect, and come back. */
export class Line {
  private readonly sockets = new Set<net.Socket>();
  private readonly server: net.Server;
  private silent = false;
  /** Number of chunks to the database that were lost in its silence. */
  lost = 0;

  constructor(target: { readonly host: string; readonly port: number }) {
    this.server = net.createServer((near) => {
      const far = net.connect(target);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.sockets.add(from);
        from.on('data', (chunk) => {
          if (!this.silent) to.write(chunk);
          else if (to === far) this.lost += 1;
        });
        from.on('error', () => to.destroy());
        from.on('close', () => {
          this.sockets.delete(from);
          to.destroy();
        });
      }
    });
  }

  listen(port = 0): Promise<number> {
    return new Promise((resolve) => {
      this.server.listen(port, '127.0.0.1', () => resolve((this.server.address() as net.AddressInfo).port));
    });
  }

  /** Number of its connections, including those by which the driver watches the server. */
  get open(): number {
    return this.sockets.size / 2;
  }

  goSilent(): void {
    this.silent = true;
  }

  async goAway(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.hangUp();
    await closed;
  }

  hangUp(): void {
    this.silent = false;
    for (const socket of this.sockets) socket.destroy();
  }
}
