import { wireMail } from '../../support/checks/wire';
import type { Email } from '../../../src/records/emails/model';
import { aProject } from '../../support/platform/app';
import { delivered, stateOf, visit } from './visits';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const HTML = `<p><a href="https://shop.example/a?x=1&amp;y=2">A</a> <a href="https://shop.example/of/{{name}}">B</a>
{{#if name}}<a href="https://shop.example/c">C</a>{{/if}}</p>`;

const mail = (change: Partial<Email> = {}): Promise<Email> =>
  delivered(app, { inline: { subject: 's', html: HTML, text: null, previewText: null }, values: '{"name":"ada"}', ...change });

/** The paths of the links of a message as it went out. */
async function linksOf(email: Email): Promise<string[]> {
  const { message } = await wireMail(app.core, email);
  const html = message.replace(/=\r\n/g, '').replace(/=3D/g, '=');
  return [...html.matchAll(/href="([^"]*\/t\/c\/[^"]*)"/g)].map(([, url = '']) => url.slice(app.core.config.PUBLIC_URL.length));
}

const ADDRESSES = ['https://shop.example/a?x=1&y=2', 'https://shop.example/of/ada', 'https://shop.example/c'];

test('the links of a message lead where their author wanted, and count', async () => {
  const email = await mail();
  const links = await linksOf(email);
  expect(links).toHaveLength(3);
  for (const [index, link] of links.entries()) {
    const { status, headers } = await visit(app, 'get', link);
    expect([status, headers.location]).toEqual([302, ADDRESSES[index]]);
  }
  expect(await stateOf(email)).toMatchObject({ status: 'clicked', clicks: 3 });
});

test('every attempt names the same links', async () => {
  const email = await mail({ type: 'marketing' });
  const { message } = await wireMail(app.core, email);
  expect((await wireMail(app.core, email)).message).toBe(message);
});

test('a link of another message is not found when it is said to be of this one', async () => {
  const [mine, others] = [await linksOf(await mail()), await linksOf(await mail())];
  const [first = ''] = mine;
  const id = first.slice('/t/c/'.length).split('.')[0] ?? '';
  for (const link of others) {
    const moved = `/t/c/${[id, ...link.slice('/t/c/'.length).split('.').slice(1)].join('.')}`;
    const { status, headers } = await visit(app, 'get', moved);
    expect([moved, status, headers.location]).toEqual([moved, 404, undefined]);
  }
});

test('a link leads on although its message is not stored', async () => {
  const email = await mail();
  const links = await linksOf({ ...email, _id: email._id.replace(/.$/, (last) => (last === '0' ? '1' : '0')) });
  for (const [index, link] of links.entries()) {
    const { status, headers } = await visit(app, 'get', link);
    expect([status, headers.location]).toEqual([302, ADDRESSES[index]]);
  }
});
