import type { Context, Core } from '../../src/context';
import { loadServerConfig } from '../../src/config';
import { CallGate } from '../../src/http-call/gate';
import { createDns } from '../../src/dns/resolver';
import { createLogger } from '../../src/log';
import { getProject } from '../../src/projects/service';
import { Secrets } from '../../src/secrets';
import type { SendMessage } from '../../src/send/service';

const PARAGRAPH = '<p>Thank you for your order. It is on its way and will be with you in a few days.</p>\n';

/** About 2.5 KB of HTML with a link and a greeting. */
export const HTML = `<html><body>\n<p>Hello {{name | "there"}},</p>\n${PARAGRAPH.repeat(28)}<p><a href="https://example.com/orders">Your orders</a></p>\n</body></html>`;

/** About 10 KB of HTML with three links, as a newsletter has. */
export const CAMPAIGN_HTML = `<html><body>\n<h1>Hello {{firstName | "there"}}</h1>\n${PARAGRAPH.repeat(112)}<p><a href="https://example.com/one">One</a> <a href="https://example.com/two?city={{data.city}}">Two</a> <a href="https://example.com/three">Three</a></p>\n</body></html>`;

export const message = (n: number): SendMessage => ({
  to: [{ email: `user-${n}@example.com`, name: null }],
  toMany: false,
  subject: 'Your order {{number}}',
  html: HTML,
  text: null,
  templateId: null,
  variables: { name: `Name ${n}`, number: n },
  from: 'hello@hello.test',
  fromName: null,
  replyTo: null,
  headers: null,
  attachments: [],
  sendAt: null,
  createContact: false,
  type: 'transactional',
});

/** A core that starts no workflows: what is accepted waits. */
export function quietCore(env: Readonly<Record<string, string>>): Core {
  const config = loadServerConfig(env);
  const log = createLogger(config, 'bench');
  const nothing = (): Promise<void> => Promise.resolve();
  return {
    config,
    log,
    secrets: new Secrets(config.APP_SECRET),
    processes: { wakeDelivery: nothing, wakeFanOut: nothing, wakeWebhooks: nothing, start: nothing, signal: nothing },
    dns: createDns(config.DNS_SERVERS),
    calls: new CallGate(log),
  };
}

export async function contextOf(core: Core, projectId: string): Promise<Context> {
  return { core, projectId, project: await getProject(projectId), testMode: false, keyKind: 'secret', requestId: 'bench' };
}
