import type { Context, Core } from '../../src/platform/core';
import { loadServerConfig } from '../../src/platform/config';
import { CallGate } from '../../src/platform/http-client';
import { createDns } from '../../src/platform/dns';
import { createLogger } from '../../src/platform/log';
import { getProject } from '../../src/records/projects';
import { Secrets } from '../../src/platform/secrets';
import type { SendMessage } from '../../src/sending/accept';

const PARAGRAPH = '<p>Thank you for your order. It is on its way and will be with you in a few days.</p>\n';

/** About 2.5 KB of HTML with a link and a greeting. */
export const HTML = `<html><body>\n<p>Hello {{name | "there"}},</p>\n${PARAGRAPH.repeat(28)}<p><a href="https://example.com/orders">Your orders</a></p>\n</body></html>`;

const SENTENCE =
  'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. ';
const STORIES = Array.from(
  { length: 10 },
  (_, index) =>
    `<tr><td style="padding:8px 16px;font-family:Arial,sans-serif;font-size:14px"><h3>{{firstName}}, story ${index}</h3><p>${SENTENCE.repeat(3)}</p>` +
    `<a href="https://shop.example.test/a/${index}?utm=1">Read more ${index}</a></td></tr>\n`,
);

/** About 6 KB of HTML with ten links, a branch and an unsubscribe link, as a newsletter has. */
export const NEWSLETTER =
  '<!doctype html><html><head><meta charset="utf-8"><title>News</title></head><body><table width="600"><tr><td><h1>Hello {{firstName}} {{lastName}}</h1>' +
  '{{#if data.vip}}<p>Thank you for being a VIP in {{data.city}}</p>{{else}}<p>Greetings to {{data.city}}</p>{{/if}}</td></tr>\n' +
  `${STORIES.join('')}<tr><td><a href="{{unsubscribeUrl}}">Unsubscribe</a> {{email}}</td></tr></table></body></html>`;

/** Returns the data of a newsletter's reader. */
export const readerOf = (n: number) => ({
  firstName: `First${n}`,
  lastName: `Last${n}`,
  locale: null,
  data: { city: `City${n % 100}`, vip: n % 3 === 0 },
});

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

/** Returns a core that starts no workflows, so that accepted messages wait. */
export function quietCore(env: Readonly<Record<string, string>>): Core {
  const config = loadServerConfig(env);
  const log = createLogger(config, 'bench');
  const nothing = (): Promise<void> => Promise.resolve();
  return {
    config,
    log,
    secrets: new Secrets(config.APP_SECRET),
    processes: {
      wakeDelivery: nothing,
      wakeFanOut: nothing,
      wakeWebhooks: nothing,
      startRamp: nothing,
      start: nothing,
      signal: nothing,
      ask: nothing,

      deferredLists: () => Promise.resolve([]),
      endAllOf: () => Promise.resolve(0),
      endedEarly: () => Promise.resolve([]),
    },
    dns: createDns(config.DNS_SERVERS),
    calls: new CallGate(log),
  };
}

export async function contextOf(core: Core, projectId: string): Promise<Context> {
  return { core, projectId, project: await getProject(projectId), testMode: false, keyKind: 'secret', requestId: 'bench' };
}
