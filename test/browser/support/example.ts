import type { Platform } from '../../support/platform';
import type { Ids } from './screens';

const PEOPLE = [
  ['ada@example.com', 'Ada', 'Lovelace', 'pro'],
  ['grace@example.com', 'Grace', 'Hopper', 'pro'],
  ['katherine@example.com', 'Katherine', 'Johnson', 'free'],
  ['annie@example.com', 'Annie', 'Easley', 'free'],
  ['radia@example.com', 'Radia', 'Perlman', 'team'],
] as const;

const page = (text: string): string =>
  `<html><body style="margin:0;font:16px/1.5 sans-serif;background:#f4f1ea"><div style="max-width:520px;margin:24px auto;padding:32px;background:#fff">
<h1 style="color:#1d5f56">Paper &amp; Quill</h1><p>${text}</p><p><a href="https://example.com/" style="color:#1d5f56">See your order</a></p></div></body></html>`;

/** A small shop that has begun to send. */
export async function example(platform: Platform): Promise<Ids> {
  const data = async (path: string, body: object): Promise<Record<string, string>> => {
    const { body: answer } = await platform.post(path, body);
    return answer.data as Record<string, string>;
  };
  const contacts = [];
  for (const [email, firstName, lastName, plan] of PEOPLE)
    contacts.push(await data('/v1/contacts', { email, firstName, lastName, data: { plan, city: 'London' } }));
  const domain = await data('/v1/domains', { domain: 'mail.paper-and-quill.example' });
  const webhook = await data('/v1/webhooks', {
    ...{ url: 'https://paper-and-quill.example/hooks', events: ['email.delivered', 'email.bounced'], description: 'Order desk' },
  });
  await data('/v1/suppressions', { email: 'old-address@example.com', reason: 'hard_bounce' });
  await data('/v1/suppressions', { email: 'no-more@example.com', reason: 'complaint' });
  await data('/v1/events', { name: 'order.placed', email: 'ada@example.com', data: { order: 'A-1042', total: 48.5 } });
  const ids = [];
  for (const [email, firstName] of PEOPLE) {
    const html = page(`Dear ${firstName}, your order is on its way.`);
    ids.push(await platform.send(email, { subject: 'Your order A-1042 is on its way', html }));
  }
  ids.push(await platform.send('bounce@simulator.lettermill.test', { subject: 'Your invoice for November', html: page('Your invoice.') }));
  const [emailId = ''] = ids;
  await platform.untilStatus(emailId, 'delivered');
  await platform.untilStatus(ids.at(-2) ?? '', 'delivered');
  return {
    ...{ emailId, contactId: contacts[0]?.['contactId'] ?? '' },
    ...{ domainId: domain['domainId'] ?? '', webhookId: webhook['webhookId'] ?? '' },
  };
}
