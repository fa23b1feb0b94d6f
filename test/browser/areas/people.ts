import type { Area } from './area';
import { LINK, PLANTED, TEXT } from './words';

const PEOPLE = [
  ['grace@example.com', 'Grace', 'Hopper', 'pro'],
  ['katherine@example.com', 'Katherine', 'Johnson', 'free'],
  ['annie@example.com', 'Annie', 'Easley', 'free'],
  ['radia@example.com', 'Radia', 'Perlman', 'team'],
  ['ada@example.com', 'Ada', 'Lovelace', 'pro'],
] as const;

/** Contacts and suppressions. Ada is there in either world: the other areas write to her. */
export const people: Area = {
  screens: [
    ['contacts', () => '/contacts', 'Contacts', PLANTED],
    ['contact', ({ contactId }) => `/contacts/${contactId}`, PLANTED, 'order.placed'],
    ['suppressions', () => '/suppressions', 'Suppressions', '@example.com'],
  ],

  async example({ post }) {
    let ids = {};
    for (const [email, firstName, lastName, plan] of PEOPLE)
      ids = await post('/v1/contacts', { email, firstName, lastName, data: { plan, city: 'London' } });
    await post('/v1/suppressions', { email: 'old-address@example.com', reason: 'hard_bounce' });
    await post('/v1/suppressions', { email: 'no-more@example.com', reason: 'complaint' });
    await post('/v1/events', { name: 'order.placed', email: 'ada@example.com', data: { order: 'A-1042', total: 48.5 } });
    return ids;
  },

  async planted({ post }) {
    const data = { company: TEXT, link: LINK };
    const ids = await post('/v1/contacts', { email: 'ada@example.com', firstName: TEXT, lastName: TEXT, data });
    await post('/v1/suppressions', { email: 'img@example.com' });
    await post('/v1/events', { name: 'order.placed', email: 'ada@example.com', data: { note: TEXT } });
    return ids;
  },
};
