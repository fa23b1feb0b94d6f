import type { Area } from './area';
import { HTML, NAME, PLANTED, TEXT, letter } from './words';

/** Templates. */
export const content: Area = {
  screens: [
    ['templates', () => '/templates', 'Templates', PLANTED],
    ['template', ({ templateId }) => `/templates/${templateId}`, PLANTED, 'current version'],
    ['translations', () => '/translations', 'Translations', 'greeting'],
    ['new-template', () => '/templates/new', 'New template', 'firstName: no value'],
  ],

  example: ({ post }) =>
    post('/v1/templates', {
      ...{ name: 'Order shipped', subject: 'Your order {{order}} is on its way', fromEmail: 'shop@hello.test', fromName: 'Paper & Quill' },
      body: letter('Dear {{firstName | "friend"}}, your order {{order}} is on its way.'),
    }),

  async planted({ platform, post }) {
    const from = { fromEmail: 'us@hello.test', fromName: NAME };
    const ids = await post('/v1/templates', { ...from, name: NAME, subject: TEXT, body: HTML });
    const greeting = { default: TEXT, de: 'Hallo' };
    await platform.request('PUT', '/v1/translations', { translations: { greeting } });
    await platform.request('PATCH', `/v1/templates/${ids['templateId']}`, { subject: `${TEXT}!`, body: `${HTML}<p>${TEXT}</p>` });
    return ids;
  },
};
