import type { Platform } from '../../support/platform';

/** Runs in the page, or in the page around it, where anything of it is taken for markup or a link. */
const RUN = 'top.ran=1;parent.ran=1;window.ran=1';

/** A text that shows itself where it is shown as text. */
export const PLANTED = /Planted <img/;
const TEXT = `Planted <img src=x onerror="${RUN}"><script>${RUN}</script> javascript:${RUN}`;

const HTML = `<html><head><style>#marked{color:rgb(12,34,56)}</style></head><body onload="${RUN}">
<h1 id="marked">Hello Ada</h1><p>Your order is on its way.</p>
<img src=x onerror="${RUN}"><script>${RUN}</script><a href="javascript:${RUN}">a link</a>
<form action="javascript:${RUN}"><button>b</button></form><iframe srcdoc="<script>${RUN}</script>"></iframe></body></html>`;

/** What was planted, by its ids. */
export interface Planted {
  readonly emailId: string;
  readonly contactId: string;
}

async function made(platform: Platform, path: string, body: object): Promise<Record<string, string>> {
  const { status, body: answer } = await platform.post(path, body);
  if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
  return answer.data as Record<string, string>;
}

/** Writes markup and scripts into every text that people can give the platform. */
export async function plant(platform: Platform): Promise<Planted> {
  const contact = await made(platform, '/v1/contacts', {
    email: 'ada@example.com',
    firstName: TEXT,
    lastName: TEXT,
    data: { company: TEXT, link: `javascript:${RUN}` },
  });
  await made(platform, '/v1/events', { name: 'order.placed', email: 'ada@example.com', data: { note: TEXT } });
  const emailId = await platform.send('ada@example.com', { subject: TEXT, html: HTML, headers: { 'X-Note': TEXT } });
  await platform.send('grace@example.com', { subject: 'Your invoice for November' });
  await platform.untilStatus(emailId, 'delivered');
  return { emailId, contactId: contact['contactId'] ?? '' };
}
