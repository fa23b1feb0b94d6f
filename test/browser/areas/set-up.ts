import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ProjectModel } from '../../../src/records/projects/model';
import type { Area, Ground } from './area';
import { PLANTED, TEXT } from './words';

/** The address of a customer's server that answers calls with a status and markup. */
export async function hostileServer({ atEnd }: Ground, status: number): Promise<string> {
  const server = createServer((_req, res) => res.writeHead(status, { 'Content-Type': 'text/html' }).end(TEXT));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  atEnd.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Domains, webhooks, keys, settings and billing. */
export const setUp: Area = {
  screens: [
    ['domains', () => '/domains', 'Domains', '.example'],
    ['domain', ({ domainId }) => `/domains/${domainId}`, /\.example$/, 'Allowed senders (SPF)'],
    ['webhooks', () => '/webhooks', 'Webhooks', PLANTED],
    ['webhook', ({ webhookId }) => `/webhooks/${webhookId}`, /^http/, 'email.delivered'],
    ['keys', () => '/keys', 'Keys', 'sk_test_'],
    ['settings', () => '/settings', 'Settings', 'Tracking'],
    ['billing', () => '/billing', 'Billing', 'Credits used this month'],
  ],

  async example({ post }) {
    const domain = await post('/v1/domains', { domain: 'mail.paper-and-quill.example' });
    const webhook = await post('/v1/webhooks', {
      ...{ url: 'https://paper-and-quill.example/hooks', events: ['email.delivered', 'email.bounced'], description: 'Order desk' },
    });
    return { ...domain, ...webhook };
  },

  async planted(ground) {
    const { platform, post } = ground;
    await ProjectModel.updateOne({ _id: platform.keys.projectId }, { $set: { name: TEXT } });
    const domain = await post('/v1/domains', { domain: 'planted.example' });
    const url = `${await hostileServer(ground, 500)}?${encodeURIComponent(TEXT)}`;
    const webhook = await post('/v1/webhooks', { url, events: ['*'], description: TEXT });
    return { ...domain, ...webhook };
  },
};
