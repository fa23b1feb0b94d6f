import { startTestApp } from '../../support/app';
import type { TestApp } from '../../support/app';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
});
afterAll(() => app.close());

const SEND = { to: 'ada@example.com', from: 'team@hello.test', subject: 'Hello', html: '<p>Hello</p>' };
const CAMPAIGN = { name: 'News', subject: 'Hello', body: '<p>Hello</p>', fromEmail: 'team@hello.test' };

interface Mistake {
  readonly name: string;
  readonly path: string;
  readonly body: unknown;
  /** What the answer says, with the place of the fault. */
  readonly says: string;
}

const mistake = (name: string, path: string, body: unknown, says: string): Mistake => ({ name, path, body, says });
const inSend = (name: string, change: object, says: string): Mistake => mistake(name, '/v1/send', { ...SEND, ...change }, says);
const inCampaign = (name: string, change: object, says: string): Mistake =>
  mistake(name, '/v1/campaigns', { ...CAMPAIGN, ...change }, says);
const inContact = (name: string, change: object, says: string): Mistake =>
  mistake(name, '/v1/contacts', { email: 'ada@example.com', ...change }, says);
const inWebhook = (name: string, change: object, says: string): Mistake =>
  mistake(name, '/v1/webhooks', { url: 'https://example.com/hook', events: ['*'], ...change }, says);

describe('a mistake in a body is named by its place, and what is right there', () => {
  test.each<Mistake>([
    inSend('a key with an underscore', { reply_to: 'a@hello.test' }, 'reply_to: Unknown key: did you mean "replyTo"?'),
    inSend('a key that is misspelt', { subjet: 'Hello' }, 'subjet: Unknown key: did you mean "subject"?'),
    inSend('a key in capitals', { Subject: 'Hello' }, 'Subject: Unknown key: did you mean "subject"?'),
    inSend('a key that is like none', { frobnicate: 1 }, 'frobnicate: Unknown key'),
    inSend('no recipient', { to: undefined }, 'to: '),
    inSend('a number for the subject', { subject: 7 }, 'subject: Must be a string, not a number'),
    inSend('a list for the subject', { subject: ['Hello'] }, 'subject: Must be a string, not a list'),
    inSend('null for the sender', { from: 7 }, 'from: Must be a string, not a number'),
    inSend('an unknown type', { type: 'transactionl' }, 'type: Must be one of '),
    inSend('a type that is nearly right', { type: 'transactionl' }, 'did you mean "transactional"?'),
    inSend('an instant without an offset', { sendAt: '2030-01-01 10:00' }, 'sendAt: '),
    inCampaign('a misspelt key', { fromMail: 'a@hello.test' }, 'fromMail: Unknown key: did you mean "fromEmail"?'),
    inCampaign('no name', { name: undefined }, 'name: Missing; must be a string'),
    inCampaign('an empty name', { name: '' }, 'name: Must not be empty'),
    inCampaign('an unknown audience', { audience: 'everybody' }, 'audience: Must be one of "all", "segment", "filter"'),
    inCampaign('a misspelt audience', { audience: 'segmnet' }, 'did you mean "segment"?'),
    inCampaign('a text for the share of a sample', { abSamplePct: 'ten' }, 'abSamplePct: Must be '),
    inContact('no address', { email: undefined }, 'email: Missing; must be a string'),
    inContact('a word for a truth', { subscribed: 'yes' }, 'subscribed: Must be true or false, not a string'),
    inContact('a list for the data', { data: [] }, 'data: Must be an object, not a list'),
    inContact('a name in two words', { first_name: 'Ada' }, 'first_name: Unknown key: did you mean "firstName"?'),
    inWebhook('no URL', { url: undefined }, 'url: Missing; must be a string'),
    inWebhook('no events', { events: [] }, 'events: Must hold 1 to 100 items, not 0'),
    inWebhook('one event that is not in a list', { events: 'email.sent' }, 'events: Must be a list, not a string'),
    mistake('a batch that is a list', '/v1/send/batch', [SEND], 'Must be an object, not a list'),
    mistake(
      'a key of a message within a batch',
      '/v1/send/batch',
      { messages: [{ ...SEND, reply_to: 'a@hello.test' }] },
      'did you mean "replyTo"?',
    ),
    mistake('no body at all', '/v1/contacts', undefined, ''),
    mistake('a segment without a name', '/v1/segments', {}, 'name: Missing; must be a string'),
    mistake('a domain that is a number', '/v1/domains', { domain: 7 }, 'domain: Must be a string, not a number'),
    mistake('an unknown action for many', '/v1/contacts/bulk', { action: 'remove', emails: ['a@example.com'] }, 'action: Must be one of '),
    mistake(
      'a misspelt action for many',
      '/v1/contacts/bulk',
      { action: 'subscribed', emails: ['a@example.com'] },
      'did you mean "subscribe"?',
    ),
  ])('$name', async ({ path, body, says }) => {
    const { body: answer } = await app
      .api()
      .post(path)
      .send(body as object)
      .expect(422);
    expect(answer.code).toBe('validation_error');
    const texts = (answer.details as { path: string; message: string }[]).map((detail) => `${detail.path}: ${detail.message}`);
    expect([answer.error, ...texts].join('\n')).toContain(says);
    expect(JSON.stringify(answer)).not.toMatch(/Invalid input|Invalid option|expected string, received/);
  });

  test('a sender of another domain: it is named, with those that are verified', async () => {
    const { body } = await app
      .api()
      .post('/v1/send')
      .send({ ...SEND, from: 'a@shop.test' })
      .expect(422);
    expect(body.error).toBe('The domain shop.test is not verified in this project (verified: hello.test); add it with POST /v1/domains');
  });
});

describe('a refused key says which mistake it is', () => {
  test.each([
    ['none', {}, 'Give an API key: Authorization: Bearer sk_…'],
    ['without its scheme', { authorization: 'sk_abc' }, 'The Authorization header must be the word Bearer, a space, and the API key'],
    ['unknown', { authorization: 'Bearer sk_abc' }, 'There is no such API key'],
    ['unknown, as X-API-Key', { 'x-api-key': 'sk_abc' }, 'There is no such API key'],
  ])('%s', async (_name, headers, says) => {
    const answer = await app.api(null).get('/v1/emails').set(headers).expect(401);
    expect([answer.body.code, answer.body.error, answer.headers['www-authenticate']]).toEqual(['unauthorized', says, 'Bearer']);
  });

  test('public, where a secret one is needed', async () => {
    const { body } = await app.api(app.keys.public).get('/v1/emails').expect(401);
    expect(body.error).toBe('Public keys may only POST /v1/events; this needs a secret key');
  });
});
