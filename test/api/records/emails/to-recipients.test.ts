import { campaignStarts, startsAsked } from '../../../../src/records/emails/campaign-starts';
import { detachEmails } from '../../../../src/records/emails/detach';
import type { Email } from '../../../../src/records/emails/model';
import { otherOutcomes } from '../../../../src/records/emails/newest-outcomes';
import { toEmail, toRow } from '../../../../src/records/emails/row';
import { inTransaction } from '../../../../src/platform/mongo/transaction';
import { getProject } from '../../../../src/records/projects/service';
import { factsNeeded } from '../../../../src/rules/conditions/inventory';
import { parsed } from '../../../support/data/conditions';
import { aProject } from '../../../support/platform/app';
import { campaignCalls } from '../../../support/calls/campaigns';
import { storeEmail, storeEmails } from '../../../support/data/email-rows';
import { queryPlans } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
beforeEach(() => stored.emails.remove());

const { running, rows, api, deliver } = campaignCalls(() => app);

interface Listed {
  readonly data: readonly { readonly emailId: string; readonly contactId: string | null; readonly to: string }[];
  readonly nextCursor: string | null;
}
const list = async (query: object): Promise<Listed> => (await api().get('/v1/emails').query(query).expect(200)).body as Listed;
const idsOf = async (query: object): Promise<string[]> => (await list(query)).data.map(({ emailId }) => emailId);

const ids = (emails: readonly (Email | undefined)[]): (string | undefined)[] => emails.map((email) => email?._id);

/** The same, one after another. */
async function walked(query: object): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: Listed = await list({ ...query, limit: 1, ...(cursor && { cursor }) });
    found.push(...page.data.map(({ emailId }) => emailId));
    cursor = page.nextCursor;
  }
  return found;
}

/** Messages of a campaign as delivery stores them. */
async function sent(campaignId: string, change: Partial<Email> = {}): Promise<Email[]> {
  const emails = await deliver(await rows(campaignId), change);
  await stored.emails.remove({ campaignId });
  await stored.emails.collection.insertMany(emails.map((email) => toRow(toEmail(email))));
  return emails;
}

test('campaign mail is found by contact and by address, among other mail, page by page, though neither is in an index', async () => {
  const first = await sent(await running(3), { createdAt: new Date(Date.now() - 60_000) });
  const second = await sent(await running(1), { createdAt: new Date(Date.now() - 30_000) });
  const [opening] = first as [Email, ...Email[]];
  const { contactId, to, campaignId } = opening;
  const [later, earlier] = await storeEmails(
    app.keys.projectId,
    { to, contactId, createdAt: new Date(Date.now() - 10_000) },
    { to, contactId, createdAt: new Date(Date.now() - 90_000) },
  );
  const again = second.find((email) => email.contactId === contactId);
  const expected = ids([later, again, opening, earlier]);
  expect(await stored.emails.count({ $or: [{ to: { $exists: true } }, { contactId: { $exists: true } }], source: 'campaign' })).toBe(0);
  for (const query of [{ contactId }, { to }, { contactId, to: to.toUpperCase() }]) {
    expect(await idsOf(query)).toEqual(expected);
    expect(await walked(query)).toEqual(expected);
  }
  expect(await idsOf({ contactId, source: 'transactional' })).toEqual(ids([later, earlier]));
  expect(await idsOf({ contactId, campaignId })).toEqual(ids([opening]));
  expect((await list({ to, limit: 2 })).data[1]).toMatchObject({ contactId, to });
});

test('a campaign’s e-mail is found after its campaign was deleted, and has no contact after its contact was', async () => {
  const campaignId = await running(1);
  const [email] = await sent(campaignId);
  await stored.campaigns.remove(campaignId);
  expect(await idsOf({ to: email?.to })).toEqual([email?._id]);
  await detachEmails(app.keys.projectId, [email?.contactId ?? ''], new Date());
  expect(await idsOf({ contactId: email?.contactId })).toEqual([]);
  expect((await list({ to: email?.to })).data).toEqual([expect.objectContaining({ contactId: null, to: email?.to })]);
});

test('mail whose id does not name its contact is found by its row', async () => {
  const old = await storeEmails(app.keys.projectId, {
    source: 'campaign',
    campaignId: 'cmp_old',
    contactId: 'ctc_old',
    to: 'old@example.com',
  });
  for (const query of [{ contactId: 'ctc_old' }, { to: 'old@example.com' }]) expect(await idsOf(query)).toEqual([old[0]?._id]);
});

test('a run of soft bounces is seen across campaigns', async () => {
  const soft = { status: 'bounced', bounceType: 'soft', bouncedAt: new Date(), deliveredAt: null } as const;
  const [email] = await sent(await running(1), soft);
  const other = await storeEmail(app.keys.projectId, { to: email?.to ?? '' });
  const { idSalt } = await getProject(app.keys.projectId);
  const found = await inTransaction((session) => otherOutcomes(session, other, idSalt));
  expect(found.map(({ kind }) => kind)).toEqual(['soft']);
});

test('e-mails to a recipient are read along indexes, and the starts of campaigns by one step for each', async () => {
  const [email] = await sent(await running(2));
  const { projectId } = app.keys;
  for (const work of [() => idsOf({ contactId: email?.contactId }), () => idsOf({ to: email?.to }), () => campaignStarts(projectId)]) {
    const plans = await queryPlans('emails', work);
    expect(plans.length).toBeGreaterThan(0);
    for (const { plan, sorted } of plans) {
      expect({ plan, sorted }).toEqual({ plan: expect.stringMatching(/^(IXSCAN|IDHACK|DISTINCT_SCAN)/), sorted: false });
    }
  }
});

test('conditions search by ids only what arrived, of no more campaigns than they name', async () => {
  const [first, second] = [await running(1), await running(1)];
  await sent(first);
  await sent(second);
  const asked = async (filter: object): Promise<readonly string[]> => {
    const needed = factsNeeded(parsed({ logic: 'and', groups: [{ filters: [{ operator: 'triggered', ...filter }] }] }));
    return [...(await startsAsked(app.keys.projectId, needed)).keys()].sort();
  };
  expect(await asked({ field: 'email.delivered' })).toEqual([first, second].sort());
  expect(await asked({ field: 'email.delivered', campaignId: first })).toEqual([first]);
  expect(await asked({ field: 'email.delivered', campaignId: 'cmp_without_messages' })).toEqual([]);
  expect(await asked({ field: 'email.opened' })).toEqual([]);
});
