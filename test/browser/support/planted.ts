import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ProjectModel } from '../../../src/projects/model';
import { eventually } from '../../support/platform';
import type { Platform } from '../../support/platform';
import type { Ids } from './screens';

/** Runs in the page, or in the page around it, where anything of it is taken for markup or a link. */
const RUN = 'top.ran=1;parent.ran=1;window.ran=1';

/** A text that shows itself where it is shown as text. */
export const PLANTED = /Planted <img/;
const TEXT = `Planted <img src=x onerror="${RUN}"><script>${RUN}</script> javascript:${RUN}`;

const HTML = `<html><head><style>#marked{color:rgb(12,34,56)}</style></head><body onload="${RUN}">
<h1 id="marked">Hello Ada</h1><p>Your order is on its way.</p>
<img src=x onerror="${RUN}"><script>${RUN}</script><a href="javascript:${RUN}">a link</a>
<form action="javascript:${RUN}"><button>b</button></form><iframe srcdoc="<script>${RUN}</script>"></iframe></body></html>`;

/** Where it was planted, by its ids. */
export interface Planted extends Ids {
  close(): void;
}

type Row = Readonly<Record<string, string>>;

/** Posts; resolves to what is answered. */
async function made(platform: Platform, path: string, body: object): Promise<Row> {
  const { status, body: answer } = await platform.post(path, body);
  if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
  return answer.data as Row;
}

/** A server of a customer's that answers calls with markup. */
async function hostileServer(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((_req, res) => res.writeHead(500, { 'Content-Type': 'text/html' }).end(TEXT));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

/** Writes markup and scripts into every text that people can give the platform. */
export async function plant(platform: Platform): Promise<Planted> {
  const post = (path: string, body: object): Promise<Row> => made(platform, path, body);
  await ProjectModel.updateOne({ _id: platform.keys.projectId }, { $set: { name: TEXT } });
  const server = await hostileServer();
  const { webhookId = '' } = await post('/v1/webhooks', {
    ...{ url: `${server.url}?${encodeURIComponent(TEXT)}`, events: ['*'], description: TEXT },
  });
  const { contactId = '' } = await post('/v1/contacts', {
    ...{ email: 'ada@example.com', firstName: TEXT, lastName: TEXT },
    data: { company: TEXT, link: `javascript:${RUN}` },
  });
  const { domainId = '' } = await post('/v1/domains', { domain: 'planted.example' });
  await post('/v1/suppressions', { email: 'img@example.com' });
  await post('/v1/events', { name: 'order.placed', email: 'ada@example.com', data: { note: TEXT } });
  const emailId = await platform.send('ada@example.com', { subject: TEXT, html: HTML, headers: { 'X-Note': TEXT } });
  await platform.untilStatus(emailId, 'delivered');
  await eventually('the webhook has failed', async () => {
    const { body } = await platform.get(`/v1/webhooks/${webhookId}/deliveries`);
    return (body.data as readonly Row[]).some(({ responseBody }) => PLANTED.test(responseBody ?? ''));
  });
  return { emailId, contactId, domainId, webhookId, close: () => server.close() };
}
