import { newId } from '../../../../src/platform/core/ids';
import { findDue } from '../../../../src/records/emails/ledger';
import { DELIVERY_SHARDS } from '../../../../src/contracts/delivery';
import { aProject } from '../../../support/platform/app';
import { importCsv } from '../../../support/calls/imports';
import { inboundCalls } from './calls';
import { publicUrls } from '../../../support/calls/public-urls';
import { stored } from '../../../support/data/stored';

const app = aProject();

const { api, receive, emailOf, listed, freshSender, contactOf } = inboundCalls(() => app);
const eventOf = (emailId: string) => stored.events.one({ emailId });
const eventsOf = async (contactId: string): Promise<unknown[]> =>
  (await stored.events.all({ contactId }, { _id: 1 })).map(({ name, data }) => ({ name, data }));

test('what a reply quotes of our mail has no tokens in it, wherever it is read', async () => {
  const { unsubscribeUrl, viewInBrowserUrl } = publicUrls(app.core, newId('em'));
  const quoted = `${unsubscribeUrl} ${encodeURIComponent(viewInBrowserUrl)} u+${unsubscribeUrl.split('/u/')[1]}@bounce.test`;
  const emailId = await receive({
    from: freshSender(),
    to: 'in@inbox.test',
    subject: `Re: ${unsubscribeUrl}`,
    html: `<p>${quoted}</p>`,
    text: quoted,
  });
  const shown = await emailOf(emailId);
  expect(shown['text']).toBe(`${app.core.config.PUBLIC_URL}/u/… ${encodeURIComponent(app.core.config.PUBLIC_URL)}%2Fv%2F… u+…@bounce.test`);
  expect(JSON.stringify([shown, await eventOf(emailId)])).not.toMatch(/[0-9a-z]{26}\.[0-9a-z]{26}/);
});

describe('a message', () => {
  test('is stored as it came: whole in the e-mail log, and in its list', async () => {
    const from = freshSender();
    const html = '<p onclick="x()">{{firstName}} {{#each}} &amp; <script>alert(1)</script></p>';
    const { body } = await api()
      .post('/v1/inbound')
      .send({ from, to: 'Reply+AbC@Inbox.Test', fromName: 'Ada Lovelace', subject: 'Re: {{offer}}', html, text: 'Hi {{name}}\n' })
      .expect(201);
    expect(body).toEqual({ success: true, data: { emailId: expect.stringMatching(/^em_/) } });
    const emailId = body.data.emailId as string;
    const { contactId } = await contactOf(from);
    expect(await emailOf(emailId)).toEqual({
      emailId,
      projectId: app.keys.projectId,
      contactId,
      to: 'Reply+AbC@inbox.test',
      subject: 'Re: {{offer}}',
      fromEmail: from,
      fromName: 'Ada Lovelace',
      replyTo: null,
      source: 'inbound',
      type: 'transactional',
      status: 'received',
      templateId: null,
      campaignId: null,
      workflowId: null,
      testMode: false,
      headers: null,
      attachments: [],
      opens: 0,
      clicks: 0,
      attempts: 0,
      bounceType: null,
      error: null,
      messageId: `<${emailId}@inbox.test>`,
      providerMessageId: null,
      latencyMs: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/),
      scheduledFor: null,
      sentAt: null,
      deliveredAt: null,
      openedAt: null,
      clickedAt: null,
      body: html,
      text: 'Hi {{name}}\n',
    });
    const [row, ...others] = (await listed({ fromEmail: from })).data;
    const { createdAt } = await emailOf(emailId);
    expect([row, others]).toEqual([
      {
        emailId,
        contactId,
        to: 'Reply+AbC@inbox.test',
        subject: 'Re: {{offer}}',
        fromEmail: from,
        fromName: 'Ada Lovelace',
        status: 'received',
        createdAt,
        messageId: `<${emailId}@inbox.test>`,
        replyTo: null,
        inReplyTo: null,
        references: [],
        authentication: null,
        attachments: [],
      },
      [],
    ]);
  });

  test('may be nothing but its two addresses', async () => {
    const emailId = await receive({ from: freshSender(), to: 'bare@inbox.test' });
    expect(await emailOf(emailId)).toMatchObject({ subject: '', body: '', text: '', fromName: null });
  });

  test('has its addresses in their stored form, the local part of `to` as it came', async () => {
    const emailId = await receive({ from: 'Grace.HOPPER@Example.COM', to: 'ToKen-X@MÜNCHEN.example' });
    expect(await emailOf(emailId)).toMatchObject({ fromEmail: 'grace.hopper@example.com', to: 'ToKen-X@xn--mnchen-3ya.example' });
  });

  test('is in the lists of e-mails, also by its address in either case', async () => {
    const from = freshSender();
    const emailId = await receive({ from, to: 'Mixed.Case@lists.test', html: '<p>secret</p>' });
    const { contactId } = await contactOf(from);
    const marks = { source: 'inbound', status: 'received', to: 'Mixed.Case@LISTS.test', contactId };
    for (const query of [...Object.entries(marks).map(([name, value]) => ({ [name]: value })), marks]) {
      const { body } = await api()
        .get('/v1/emails')
        .query({ limit: 100, ...query })
        .expect(200);
      const row = (body.data as Record<string, unknown>[]).find((each) => each['emailId'] === emailId);
      expect([query, row]).toEqual([query, expect.objectContaining({ emailId, status: 'received' })]);
      expect([row?.['body'], row?.['text']]).toEqual([undefined, undefined]);
    }
    const { body } = await api().get('/v1/emails?to=mixed.case@lists.test').expect(200);
    expect(body.data).toEqual([]);
  });

  test('is no mail to be sent: it is never due, and cannot be cancelled', async () => {
    const emailId = await receive({ from: freshSender(), to: 'a@inbox.test' });
    const far = new Date(Date.now() + 400 * 86_400_000);
    const due = await Promise.all(
      Array.from({ length: DELIVERY_SHARDS }, (_, shard) => findDue(shard, far, '', { ids: [], crowding: [] })),
    );
    expect(due.flatMap((page) => page.due)).toEqual([]);
    const { body } = await api().delete(`/v1/emails/${emailId}`).expect(409);
    expect(body.code).toBe('invalid_state');
    const scheduled = await api().get('/v1/emails?status=scheduled').expect(200);
    expect(scheduled.body.data).toEqual([]);
  });

  test('is refused with all its faults at once', async () => {
    const html = 'x'.repeat(600_000);
    const faulty = { from: 'nobody', subject: 'a\r\nBcc: x@example.com', fromName: 7, headers: {} };
    const { body } = await api().post('/v1/inbound').send(faulty).expect(422);
    const details = body.details as { path: string; code: string }[];
    expect(details.map(({ path, code }) => `${path} ${code}`).sort()).toEqual([
      'from invalid_string',
      'fromName invalid_type',
      'headers unrecognized_keys',
      'subject invalid_string',
      'to invalid_type',
    ]);
    await api().post('/v1/inbound').send({ from: 'a@example.com', to: 'b@example.com', html, text: html }).expect(413);
    await api(app.keys.public).post('/v1/inbound').send({ from: 'a@example.com', to: 'b@example.com' }).expect(401);
    await api(null).get('/v1/inbound').expect(401);
  });

  test('is a message of its own each time, even with the same Idempotency-Key', async () => {
    const [from, to] = [freshSender(), 'again@inbox.test'];
    const send = () => api().post('/v1/inbound').set('Idempotency-Key', 'once').send({ from, to }).expect(201);
    const [first, second] = [await send(), await send()];
    expect(first.body.data.emailId).not.toBe(second.body.data.emailId);
    expect((await listed({ to })).data).toHaveLength(2);
  });
});

describe('its sender', () => {
  test('an unknown sender becomes an unsubscribed contact', async () => {
    const from = freshSender();
    const emailId = await receive({ from, to: 'a@inbox.test', fromName: '  Ada  King Lovelace ' });
    const contact = await contactOf(from);
    expect(contact).toMatchObject({ email: from, firstName: 'Ada', lastName: 'King Lovelace', subscribed: false, data: null });
    expect(await eventsOf(contact.contactId)).toEqual([
      { name: 'contact.created', data: { source: 'inbound' } },
      { name: 'email.received', data: expect.anything() },
    ]);
    expect((await eventOf(emailId))?.contactId).toBe(contact.contactId);
  });

  test('may be subscribed by an import, as one who never opted out', async () => {
    const from = freshSender();
    await receive({ from, to: 'a@inbox.test' });
    await importCsv(app, `email,subscribed\n${from},true\n`);
    expect(await contactOf(from)).toMatchObject({ subscribed: true });
  });

  test.each([true, false])('stays as it is when it is there already, subscribed: %s', async (subscribed) => {
    const from = freshSender();
    await api()
      .post('/v1/contacts')
      .send({ email: from, subscribed, data: { plan: 'pro' } })
      .expect(201);
    const before = await contactOf(from);
    await receive({ from, to: 'a@inbox.test', fromName: 'Mallory' });
    expect(await contactOf(from)).toEqual(before);
    expect(await eventsOf(before.contactId)).toEqual([
      { name: 'contact.created', data: { source: 'api' } },
      { name: 'email.received', data: expect.anything() },
    ]);
  });

  test('is one contact, however many of its messages come at once', async () => {
    const from = freshSender();
    const ids = await Promise.all(Array.from({ length: 8 }, () => receive({ from, to: 'a@inbox.test' })));
    const { contactId } = await contactOf(from);
    expect(new Set(ids).size).toBe(8);
    expect(await stored.events.count({ contactId, name: 'contact.created' })).toBe(1);
    expect(await stored.events.count({ contactId, name: 'email.received' })).toBe(8);
  });

  test('has the message on its timeline, and in no condition on mail that was sent', async () => {
    const from = freshSender();
    const emailId = await receive({ from, to: 'a@inbox.test', subject: 'Question' });
    const { contactId } = await contactOf(from);
    const { body } = await api().get(`/v1/contacts/${contactId}/timeline`).expect(200);
    const entries = body.data as Record<string, unknown>[];
    expect(entries.map(({ kind, name, emailId: of }) => [kind, name, of]).sort()).toEqual([
      ['email', 'email.received', emailId],
      ['event', 'contact.created', null],
      ['event', 'email.received', emailId],
    ]);
    const matching = async (field: string, operator: string): Promise<number> => {
      const filters = [
        { field, operator },
        { field: 'email', operator: 'equals', value: from },
      ];
      const conditions = { logic: 'and', groups: [{ filters }] };
      return (await api().post('/v1/segments/preview').send({ conditions }).expect(200)).body.data.count as number;
    };
    for (const status of ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained']) {
      expect([status, await matching(`email.${status}`, 'notTriggered')]).toEqual([status, 1]);
    }
    expect(await matching('event.email.received', 'triggered')).toBe(1);
  });
});
