import type { Area, Ground } from './area';
import { HTML, NAME, PLANTED, TEXT, letter } from './words';

/** A picture of a project: a square of one color. */
const PICTURE = Buffer.from('R0lGODlhAQABAIAAAB1fVgAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

async function upload({ platform }: Ground, name: string): Promise<string> {
  const headers = { authorization: `Bearer ${platform.keys.secret}`, 'content-type': 'image/gif' };
  const answer = await fetch(`${platform.url}/v1/files?${new URLSearchParams({ name })}`, { method: 'POST', headers, body: PICTURE });
  const { data } = (await answer.json()) as { readonly data: { readonly url: string } };
  return data.url;
}

/** Templates, and their pictures. */
export const content: Area = {
  screens: [
    ['templates', () => '/templates', 'Templates', PLANTED],
    ['template', ({ templateId }) => `/templates/${templateId}`, PLANTED, 'current version'],
    ['translations', () => '/translations', 'Translations', 'greeting'],
    ['new-template', () => '/templates/new', 'New template', 'firstName: no value'],
    ['files', () => '/files', 'Files', '1 × 1'],
  ],

  async example(ground) {
    await upload(ground, 'logo.gif');
    const greeting = { default: 'Hello', de: 'Hallo', fr: 'Bonjour' };
    await ground.platform.request('PUT', '/v1/translations', { translations: { greeting } });
    return ground.post('/v1/templates', {
      name: 'Order shipped',
      subject: 'Your order {{order}} is on its way',
      fromEmail: 'shop@hello.test',
      fromName: 'Paper & Quill',
      body: letter('Dear {{firstName | "friend"}}, your order {{order}} is on its way.'),
    });
  },

  async planted(ground) {
    const { platform, post } = ground;
    await upload(ground, NAME);
    const from = { fromEmail: 'us@hello.test', fromName: NAME };
    const ids = await post('/v1/templates', { ...from, name: NAME, subject: TEXT, body: HTML });
    const greeting = { default: TEXT, de: 'Hallo' };
    await platform.request('PUT', '/v1/translations', { translations: { greeting } });
    await platform.request('PATCH', `/v1/templates/${ids['templateId']}`, { subject: `${TEXT}!`, body: `${HTML}<p>${TEXT}</p>` });
    return ids;
  },
};
