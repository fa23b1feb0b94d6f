import type { Area } from './area';
import { HTML, PLANTED, TEXT, letter } from './words';

/** Templates. */
export const content: Area = {
  screens: [
    ['templates', () => '/templates', 'Templates', PLANTED],
    ['template', ({ templateId }) => `/templates/${templateId}`, PLANTED, 'in use'],
    ['new-template', () => '/templates/new', 'New template', 'firstName: no value'],
  ],

  example: ({ post }) =>
    post('/v1/templates', {
      ...{ name: 'Order shipped', subject: 'Your order {{order}} is on its way', fromEmail: 'shop@hello.test', fromName: 'Paper & Quill' },
      body: letter('Dear {{firstName | "friend"}}, your order {{order}} is on its way.'),
    }),

  planted: ({ post }) =>
    post('/v1/templates', { name: TEXT.slice(0, 190), subject: TEXT, body: HTML, fromEmail: 'us@hello.test', fromName: TEXT }),
};
