import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { edge, node } from '../../test/support/calls/automations';
import { insertPeople } from '../../test/support/data/people';
import { createProject } from '../../src/records/projects';
import { addVerifiedDomain } from './domain';
import type { BenchPlatform } from './platform';
import { Arrivals } from './probes';
import type { Probe } from './probes';
import type { Measured } from './processes';

/** The prefix of the second project's recipients, whose mail the sink reports. */
export const WATCHED = 'neighbour-';
const DOMAIN = 'neighbour.test';
const CONTACTS = 50;
const PING = 'ping';

/** A project with little traffic: single sends, and events for which it has an automation with a webhook node and an endpoint. */
export class Neighbour {
  private readonly arrivals = new Arrivals();
  private readonly server = createServer((request, response) => void this.take(request).finally(() => response.end('{}')));
  private next = 0;

  private constructor(
    private readonly platform: BenchPlatform,
    private readonly key: string,
  ) {}

  static async start(platform: BenchPlatform, sink: Measured): Promise<Neighbour> {
    const { projectId, secret } = await createProject('Neighbour');
    await addVerifiedDomain(platform.ground.env, projectId, DOMAIN);
    await insertPeople(projectId, CONTACTS);
    const neighbour = new Neighbour(platform, secret);
    sink.onLine((line) => neighbour.arrivals.note(line.replace('arrived ', '')));
    await neighbour.listen();
    return neighbour;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** Returns the probes of a single send and of an event. */
  probes(): readonly Probe[] {
    return [this.send(this.next++), this.emit(this.next++)];
  }

  private send(n: number): Probe {
    const to = `${WATCHED}${n}@example.com`;
    const reaches = { mail: this.arrivals.of(to) };
    const message = { to, from: `hello@${DOMAIN}`, subject: 'Hello', html: '<p>Hello</p>' };
    return { answered: this.call('/v1/send', message), reaches };
  }

  private emit(n: number): Probe {
    const reaches = { node: this.arrivals.of(`node ${n}`), endpoint: this.arrivals.of(`endpoint ${n}`) };
    return { answered: this.call('/v1/events', { name: PING, email: `user-${n % CONTACTS}@example.com`, data: { n } }), reaches };
  }

  private async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    await this.call('/v1/webhooks', { url: `${url}/endpoint`, events: [PING] });
    const graph = {
      nodes: [node('start', 'trigger'), node('call', 'webhook', { url: `${url}/node/{{event.n}}` })],
      edges: [edge('start', 'call')],
    };
    const { workflowId } = await this.call('/v1/workflows', { name: 'Ping', trigger: `event:${PING}`, reentry: 'always', graph });
    await this.platform.call('PATCH', `/v1/workflows/${String(workflowId)}`, { status: 'active' }, this.key);
  }

  private async take(request: IncomingMessage): Promise<void> {
    const [, kind = '', n] = (request.url ?? '').split('/');
    if (n !== undefined) return this.arrivals.note(`${kind} ${n}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { n: number } };
    this.arrivals.note(`${kind} ${data.n}`);
  }

  private call(path: string, body: unknown): Promise<Record<string, unknown>> {
    return this.platform.call('POST', path, body, this.key);
  }
}
