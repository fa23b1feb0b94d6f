import { aProject } from '../../../support/platform/app';
import type { Api } from '../../../support/platform/app';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
let testing: Api;
beforeAll(async () => {
  testing = app.api(app.keys.test);
});

const MESSAGE = { to: 'ada@example.com', from: 'team@hello.test', subject: 'Hello', html: '<p>Hello</p>' };

/** What the one recipient's result says of a message of which this is changed. */
async function unresolved(change: object, api = testing): Promise<unknown> {
  const { body } = await api
    .post('/v1/send')
    .send({ ...MESSAGE, ...change })
    .expect(200);
  expect(body.data.results).toHaveLength(1);
  return body.data.results[0].unresolvedPlaceholders;
}

describe('an answer to a test key names the placeholders that left nothing', () => {
  test('in subject, HTML and text, once each', async () => {
    const html = '<a href="https://example.com/{{slug}}">{{firstNam}} {{data.plan}} {{orderNumber}}</a>';
    expect(await unresolved({ subject: 'A {{orderNumber}}', html, text: '{{order.total}} {{{raw}}}' })).toEqual([
      'data.plan',
      'firstNam',
      'order.total',
      'orderNumber',
      'raw',
      'slug',
    ]);
  });

  test('and none that has a value or a fallback, or that is in a part which is not written', async () => {
    const variables = { name: 'Ada', zero: 0, no: false, list: [{ a: 1 }] };
    const html =
      '{{name}} {{zero}} {{no}} {{email}} {{year}} {{gone | "there"}} {{gone | ""}} {{#if coupon}}{{coupon}}{{/if}} {{unsubscribeUrl}}';
    expect(await unresolved({ html, variables })).toBeUndefined();
    expect(await unresolved({ html: '{{#each list}}{{a}}{{/each}}{{#each none}}{{b}}{{/each}}', variables })).toBeUndefined();
  });

  test('within blocks and helpers, too', async () => {
    const variables = { list: [{ a: 1 }, { a: '' }], name: 'Ada', on: true };
    const html =
      '{{#each list}}{{a}}{{/each}}{{#if on}}{{code}}{{else}}{{other}}{{/if}} {{uppercase lost}} {{default nick pet}} {{uppercase name}}';
    expect(await unresolved({ html, variables })).toEqual(['a', 'code', 'lost', 'nick', 'pet']);
  });

  test('by recipient: a contact may have what another lacks', async () => {
    await app.api().post('/v1/contacts').send({ email: 'grace@example.com', firstName: 'Grace' }).expect(201);
    const message = { ...MESSAGE, to: ['grace@example.com', 'alan@example.com'], html: 'Hello {{firstName}}' };
    const { body } = await testing
      .post('/v1/send/batch')
      .send({ messages: [message] })
      .expect(200);
    const { results } = body.data.results[0] as { results: object[] };
    expect(results.map((each) => Object.keys(each))).toEqual([
      ['id', 'to', 'status'],
      ['id', 'to', 'status', 'unresolvedPlaceholders'],
    ]);
  });

  test('not without end', async () => {
    const html = Array.from({ length: 150 }, (_, index) => `{{p${index}}}`).join('');
    expect(await unresolved({ html })).toHaveLength(100);
  });

  test('and a live one does not', async () => {
    expect(await unresolved({ html: '{{firstNam}}' }, app.api())).toBeUndefined();
  });
});

describe('a test send does, with any key', () => {
  const to = 'me@example.com';

  test('of a template', async () => {
    const content = {
      name: 'Order',
      fromEmail: 'team@hello.test',
      subject: '{{order.number}}',
      body: '{{order.total}} {{thanks | "Thank you"}}',
    };
    const { templateId } = (await app.api().post('/v1/templates').send(content).expect(201)).body.data as { templateId: string };
    const answer = async (variables: object): Promise<unknown> =>
      (await app.api().post(`/v1/templates/${templateId}/test-send`).send({ to, variables }).expect(200)).body.data;
    expect(await answer({ order: { total: 9 } })).toMatchObject({ status: 'queued', unresolvedPlaceholders: ['order.number'] });
    expect(await answer({ order: { total: 9, number: 1 } })).not.toHaveProperty('unresolvedPlaceholders');
  });

  test('of a campaign', async () => {
    const content = { name: 'News', subject: 'News', previewText: '{{teaser}}', body: 'Dear {{firstName}}', fromEmail: 'team@hello.test' };
    const { campaignId } = (await app.api().post('/v1/campaigns').send(content).expect(201)).body.data as { campaignId: string };
    const { body } = await app.api().post(`/v1/campaigns/${campaignId}/test-send`).send({ to }).expect(200);
    expect(body.data).toMatchObject({ status: 'queued', unresolvedPlaceholders: ['firstName', 'teaser'] });
  });
});
