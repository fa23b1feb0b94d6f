import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '../../../src/platform/core/ids';
import { addPerson } from '../../../src/records/members/service';
import { ProjectModel } from '../../../src/records/projects/model';
import { keepSession } from '../../../src/records/smtp-sessions';
import type { Area, Ground } from './area';
import { PLANTED, TEXT } from './words';

/** The address of a customer's server that answers calls with a status and markup. */
export async function hostileServer({ atEnd }: Ground, status: number): Promise<string> {
  const server = createServer((_req, res) => res.writeHead(status, { 'Content-Type': 'text/html' }).end(TEXT));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  atEnd.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Records that a program has handed in a message, and was refused another. */
async function handedIn({ platform }: Ground, client: string, refusal: string): Promise<void> {
  const { projectId, secret } = platform.keys;
  const now = new Date();
  await keepSession({
    _id: newId('smtp', now.getTime()),
    projectId,
    testMode: false,
    createdAt: now,
    endedAt: now,
    network: '192.0.2.0/24',
    client,
    tls: 'TLSv1.3',
    keyPrefix: secret.slice(0, 15),
    accepted: 1,
    refused: 1,
    emailIds: ['em_01JDXGV7Q0M0RNV3H2N8'],
    refusals: [refusal],
  });
}

/** Domains, webhooks, keys, settings and billing. */
export const setUp: Area = {
  screens: [
    ['domains', () => '/domains', 'Domains', '.example'],
    ['domain', ({ domainId }) => `/domains/${domainId}`, /\.example$/, 'Allowed senders (SPF)'],
    ['webhooks', () => '/webhooks', 'Webhooks', PLANTED],
    ['webhook', ({ webhookId }) => `/webhooks/${webhookId}`, /^http/, 'email.delivered'],
    ['delivery', ({ webhookId, deliveryId }) => `/webhooks/${webhookId}/deliveries/${deliveryId}`, 'Delivery', /webhook\.test/],
    ['smtp', () => '/smtp', 'SMTP', PLANTED],
    ['moving', () => '/moving', 'Import from another service', 'Files of the export'],
    ['keys', () => '/keys', 'Keys', 'sk_test_'],
    ['settings', () => '/settings', 'Settings', 'Tracking'],
    ['audit', () => '/audit', 'Audit', 'webhook.create'],
    ['billing', () => '/billing', 'Billing', 'Credits used this month'],
  ],

  async example(ground) {
    const { post } = ground;
    const { projectId } = ground.platform.keys;
    await ProjectModel.updateOne({ _id: projectId }, { $set: { name: 'Paper & Quill' } });
    await addPerson(projectId, { address: 'olive@paper-and-quill.example', name: 'Olive Owner', role: 'owner' });
    await addPerson(projectId, { address: 'max@paper-and-quill.example', name: 'Max Marketer', role: 'marketer' });
    await handedIn(ground, 'shop.paper-and-quill.example', '550 5.7.1 The domain paper.example is not verified in this project');
    const domain = await post('/v1/domains', { domain: 'mail.paper-and-quill.example' });
    const webhook = await post('/v1/webhooks', {
      url: 'https://paper-and-quill.example/hooks',
      events: ['email.delivered', 'email.bounced'],
      description: 'Order desk',
    });
    const delivery = await post(`/v1/webhooks/${webhook['webhookId']}/test`, {});
    return { ...domain, ...webhook, ...delivery };
  },

  async planted(ground) {
    const { platform, post } = ground;
    await handedIn(ground, TEXT, `550 5.7.1 ${TEXT}`);
    await ProjectModel.updateOne({ _id: platform.keys.projectId }, { $set: { name: TEXT } });
    const domain = await post('/v1/domains', { domain: 'planted.example' });
    const url = `${await hostileServer(ground, 500)}?${encodeURIComponent(TEXT)}`;
    const webhook = await post('/v1/webhooks', { url, events: ['*'], description: TEXT });
    const delivery = await post(`/v1/webhooks/${webhook['webhookId']}/test`, {});
    return { ...domain, ...webhook, ...delivery };
  },
};
