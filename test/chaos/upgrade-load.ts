import { setTimeout as pause } from 'node:timers/promises';
import type { ProjectKeys } from '../../src/records/projects/service';
import { insertPeople } from '../support/data/people';

export const RECIPIENTS = 4_000;
const A_MINUTE = 1_800;
export const ENROLLED = 60;
const WAIT = { amount: 75, unit: 'seconds' };
const EVERY_MS = 100;
const PATIENCE_MS = 60_000;
/** A request with this key was begun, perhaps by a process that is gone. */
const UNDER_WAY = 409;

interface Answer {
  readonly status: number;
  readonly body: { readonly data: Readonly<Record<string, unknown>> };
}

/** What customers do while the platform is upgraded under them: single messages all the time, a campaign, and an automation that waits. */
export class Load {
  /** The ports of APIs that a balancer knows. */
  ports: readonly number[] = [];
  /** Addresses of single messages that were accepted. */
  readonly accepted: string[] = [];
  /** Requests that were asked again, of another API. */
  retries = 0;
  campaign = '';
  automation = '';
  private asked = 0;
  private over = false;
  private singles: Promise<void> = Promise.resolve();

  constructor(private readonly keys: ProjectKeys) {}

  async begin(): Promise<void> {
    this.automation = await this.enrolAll();
    this.campaign = await this.sendCampaign();
    this.singles = this.sendSingles();
  }

  async end(): Promise<void> {
    this.over = true;
    await this.singles;
  }

  /** As a client behind a balancer: an API that is not there, or says that it cannot, is asked again elsewhere, under the same key. */
  async call(method: string, route: string, body?: unknown): Promise<Answer> {
    const key = `upgrade-${this.asked++}`;
    for (const begun = Date.now(); ; this.retries++) {
      const port = this.ports[(this.asked + this.retries) % this.ports.length] ?? 0;
      const answer = await this.once(`http://127.0.0.1:${port}${route}`, method, key, body).catch(() => null);
      if (answer && answer.status < 400) return answer;
      if (answer && answer.status < 500 && answer.status !== UNDER_WAY)
        throw new Error(`${method} ${route}: ${answer.status} ${JSON.stringify(answer.body)}`);
      if (Date.now() - begun > PATIENCE_MS) throw new Error(`${method} ${route} was not answered within a minute`);
      await pause(50);
    }
  }

  private async once(url: string, method: string, key: string, body: unknown): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.keys.secret}`, 'content-type': 'application/json', 'idempotency-key': key };
    const response = await fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }

  private async sendSingles(): Promise<void> {
    for (let n = 0; !this.over; n++) {
      const to = `single-${n}@example.com`;
      await this.call('POST', '/v1/send', { to, from: 'hello@hello.test', subject: 'One', html: '<p>One</p>' });
      this.accepted.push(to);
      await pause(EVERY_MS);
    }
  }

  private async sendCampaign(): Promise<string> {
    await insertPeople(this.keys.projectId, RECIPIENTS);
    const draft = { name: 'Upgrade', subject: 'News', body: '<p>Hello {{email}}</p>', fromEmail: 'hello@hello.test' };
    const { body } = await this.call('POST', '/v1/campaigns', draft);
    const route = `/v1/campaigns/${String(body.data['campaignId'])}`;
    await this.call('POST', `${route}/send`, { throttlePerMinute: A_MINUTE });
    return route;
  }

  private async enrolAll(): Promise<string> {
    const mail = (id: string) => ({
      ...{ id, type: 'send_email' },
      config: { subject: id, body: '<p>Hello</p>', fromEmail: 'hello@hello.test', type: 'transactional' },
    });
    const nodes = [
      { id: 'start', type: 'trigger', config: {} },
      mail('first'),
      { id: 'wait', type: 'delay', config: WAIT },
      mail('second'),
    ];
    const edges = nodes.slice(1).map(({ id }, index) => ({ from: nodes[index]?.id, to: id }));
    const { body } = await this.call('POST', '/v1/workflows', { name: 'Waits', trigger: 'event:begin', graph: { nodes, edges } });
    const route = `/v1/workflows/${String(body.data['workflowId'])}`;
    await this.call('PATCH', route, { status: 'active' });
    for (let n = 0; n < ENROLLED; n++) {
      const email = `waits-${n}@example.com`;
      await this.call('POST', '/v1/contacts', { email });
      await this.call('POST', `${route}/enroll`, { email });
    }
    return route;
  }
}
