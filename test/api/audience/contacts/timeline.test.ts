import { newId } from '../../../../src/platform/core/ids';
import { aProject } from '../../../support/platform/app';
import { storeEmail, storeEmails } from '../../../support/data/email-rows';
import { queryPlans } from '../../../support/checks/query-plans';
import { contactCalls } from './calls';
import { stored } from '../../../support/data/stored';
import { freshAddress } from '../../../support/data/people';

const app = aProject();

const { api, upsert, walk } = contactCalls(() => app);

interface Entry {
  readonly entryId: string;
  readonly kind: string;
  readonly name: string;
}

const pathOf = (which: string): string => `/v1/contacts/${encodeURIComponent(which)}/timeline`;
const second = (n: number): Date => new Date(Date.UTC(2025, 0, 1, 0, 0, n));

/** An event as it would be stored for a contact. */
async function store(contactId: string, name: string, createdAt: Date, more: object = {}): Promise<string> {
  const _id = newId('evt');
  const row = {
    _id,
    projectId: app.keys.projectId,
    contactId,
    emailId: null,
    name,
    data: null,
    testMode: false,
    createdAt,
    receivedAt: createdAt,
    depth: 0,
  };
  await stored.events.collection.insertOne({ ...row, ...more });
  return _id;
}

test('a timeline merges events and e-mails, newest first, each with its kind', async () => {
  const { contactId, email } = await upsert(freshAddress());
  const mail = await storeEmail(app.keys.projectId, {
    contactId,
    to: email,
    subject: 'Hi',
    status: 'opened',
    createdAt: second(2),
    workflowId: 'wf_1',
  });
  await store(contactId, 'signed.up', second(1), { data: { from: 'web' } });
  await store(contactId, 'email.opened', second(3), { emailId: mail._id, data: { first: true } });
  await store(contactId, 'segment.entered', second(4), { data: { segmentId: 'seg_1' } });
  await store(contactId, 'workflow.entered', second(5), { data: { workflowId: 'wf_1' } });
  await store(contactId, 'own', second(6), { data: { workflowId: 'wf_1' } });
  const { body } = await api().get(pathOf(contactId)).expect(200);
  const wire = (kind: string, name: string, data: object | null, at: number, more: object = {}) => ({
    entryId: expect.any(String),
    kind,
    name,
    data,
    emailId: null,
    workflowId: null,
    createdAt: second(at).toISOString(),
    ...more,
  });
  expect(body).toEqual({
    success: true,
    nextCursor: null,
    data: [
      expect.objectContaining({ kind: 'event', name: 'contact.created', data: { source: 'api' } }),
      wire('event', 'own', { workflowId: 'wf_1' }, 6),
      wire('execution', 'workflow.entered', { workflowId: 'wf_1' }, 5, { workflowId: 'wf_1' }),
      wire('segment', 'segment.entered', { segmentId: 'seg_1' }, 4),
      wire('event', 'email.opened', { first: true }, 3, { emailId: mail._id }),
      wire('email', 'email.opened', { subject: 'Hi', status: 'opened', source: 'transactional' }, 2, {
        emailId: mail._id,
        workflowId: 'wf_1',
      }),
      wire('event', 'signed.up', { from: 'web' }, 1),
    ],
  });
  expect((await api().get(pathOf(email)).expect(200)).body).toEqual(body);
});

test('a timeline shows every entry once, in order, while others are added, also through one instant', async () => {
  const { contactId } = await upsert(freshAddress());
  const other = await upsert(freshAddress());
  const kept: string[] = [];
  for (let n = 0; n < 30; n++) {
    const createdAt = second(Math.floor(n / 6));
    if (n % 3 === 0) kept.push(...(await storeEmails(app.keys.projectId, { contactId, createdAt })).map(({ _id }) => _id));
    else kept.push(await store(contactId, `event.${n}`, createdAt));
    await store(other.contactId, 'not.mine', createdAt);
  }
  for (const limit of [1, 4, 7]) {
    const seen = await walk<Entry>(pathOf(contactId), { limit }, async (index) => {
      if (index % 3 === 0) await store(contactId, 'late', new Date());
    });
    const ids = seen.map(({ entryId }) => entryId);
    expect(ids.filter((id) => kept.includes(id)).sort()).toEqual([...kept].sort());
    expect(new Set(ids).size).toBe(ids.length);
    expect(seen.map(({ name }) => name)).not.toContain('not.mine');
  }
});

test('a timeline is 404 for an unknown contact and takes back its own cursors only', async () => {
  await api().get(pathOf('ctc_unknown')).expect(404);
  await api().get(pathOf('nobody@example.com')).expect(404);
  await api().get('/v1/contacts/not%20an%20id/timeline').expect(422);
  const [first, second] = [await upsert(freshAddress()), await upsert(freshAddress())];
  await upsert(first.email, { firstName: 'A' }, 200);
  const { body } = await api().get(pathOf(first.contactId)).query({ limit: 1 }).expect(200);
  const cursor = body.nextCursor as string;
  await api().get(pathOf(first.contactId)).query({ cursor }).expect(200);
  await api().get(pathOf(second.contactId)).query({ cursor }).expect(422);
});

test('a timeline reads both sources along indexes, without sorting', async () => {
  const { contactId } = await upsert(freshAddress());
  await storeEmails(app.keys.projectId, { contactId, createdAt: second(1) }, { contactId, createdAt: second(2) });
  await storeEmails(
    app.keys.projectId,
    ...Array.from({ length: 300 }, (_, n) => ({ contactId: 'ctc_other', createdAt: second(1_000 + n) })),
  );
  for (let n = 0; n < 300; n++) await store('ctc_other', 'not.mine', new Date(Date.now() + n));
  const { body } = await api().get(pathOf(contactId)).query({ limit: 1 }).expect(200);
  for (const collection of ['events', 'emails']) {
    const plans = await queryPlans(collection, () =>
      api()
        .get(pathOf(contactId))
        .query({ limit: 1, cursor: body.nextCursor as string })
        .expect(200),
    );
    // And which campaigns there are, by one step of an index for each.
    const rows = plans.filter(({ plan }) => !plan.startsWith('DISTINCT_SCAN'));
    const alongContact = { plan: expect.stringMatching(/^IXSCAN .*contactId/), sorted: false };
    // Messages are read twice: as what they are, and for the events that their rows hold.
    expect(rows).toEqual(collection === 'emails' ? [alongContact, alongContact] : [alongContact]);
  }
});
