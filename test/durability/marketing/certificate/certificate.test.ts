import { chunks } from '../../../../src/platform/async';
import { aPlatform, Part, eventually } from '../../../support/platform/platform';
import type { Answer } from '../../../support/platform/platform';
import { aPart, made } from '../../../support/platform/platform-parts';
import { stored } from '../../../support/data/stored';
import { contactIdOf, storeContacts } from '../../../support/data/people';
import { expectToClose } from '../../../support/checks/certificates';
import type { Certificate } from '../../../support/checks/certificates';
import { reasonByFacts } from '../../../support/checks/reasons';
import type { Explained, Judged } from '../../../support/checks/reasons';

jest.setTimeout(240_000);

const EACH = 12;
const OTHERS = 160;
const CANCELLED = 100;
const HOUR_MS = 3_600_000;
/** Room for so many messages until the limit of the month is lifted. */
const ROOM = 24;

const platform = aPlatform({ env: { SMTP_CONNECTIONS: '2', LEDGER_CHUNK: '10', SMTP_RETRY_SECONDS: '1,1,2,2,5,5,5,5,5' } });
const second = aPart(() => new Part('worker/main.ts', platform.env, 'Worker is ready'));

/** What happens to the people of a group, and the check that stops their message, with its facts. Null: they get it, or the server refuses it. */
const GROUPS = {
  unsubscribed: { check: 'subscription', facts: { subscribed: false, optedOut: false } },
  optedOut: { check: 'subscription', facts: { optedOut: true } },
  suppressed: { check: 'suppression', facts: { suppression: 'manual' } },
  topic: { check: 'topic', facts: { inTopic: false } },
  paused: { check: 'snooze', facts: { snoozedUntil: expect.any(String) as string } },
  deleted: { check: 'contact', facts: { exists: false } },
  capped: { check: 'person_limits', facts: { reached: { cap: 'weekly' } } },
  once: { check: 'person_limits', facts: { reached: { sendOnce: 'news' } } },
  window: { check: 'window', facts: { window: 'closed' } },
  bounced: null,
  busy: null,
} as const;
type Group = keyof typeof GROUPS;
const groups = Object.keys(GROUPS) as Group[];
const addresses = (list: string, size: number): string[] => Array.from({ length: size }, (_, n) => `${list}-${n}@example.com`);
const peopleOf = (group: Group): string[] => addresses(group, EACH);

interface Recipient {
  /** Null once the contact was deleted. */
  readonly contactId: string | null;
  readonly status: string;
  readonly skipDetail?: object | null;
}
/** Whether the mail server has the message. Nobody knows that of one whose worker was killed and whose retry was cancelled. */
const THERE: Readonly<Record<string, unknown>> = {
  delivered: true,
  bounced: false,
  failed: false,
  skipped: false,
  in_doubt: expect.any(Boolean),
};
/** A line of a certificate. */
interface Line {
  readonly contactId: string;
  readonly outcome: string;
  readonly reason: string | null;
}

const dataOf = ({ body }: Answer) => body.data;
const campaign = async (id: string): Promise<Record<string, unknown>> => dataOf(await platform.get(`/v1/campaigns/${id}`));
const certificate = async (id: string): Promise<Certificate> => dataOf(await platform.get(`/v1/campaigns/${id}/certificate`));
const recipients = async (id: string): Promise<Recipient[]> => dataOf(await platform.get(`/v1/campaigns/${id}/recipients?limit=1000`)).data;
async function certified(id: string): Promise<readonly Line[]> {
  const headers = { authorization: `Bearer ${platform.keys.secret}` };
  const csv = await (await fetch(`${platform.url}/v1/campaigns/${id}/certificate?format=csv`, { headers })).text();
  return csv
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => {
      const [, contactId = '', , outcome = '', reason = ''] = line.split(',');
      return { contactId, outcome, reason: reason || null };
    });
}
async function why(contactId: string, id: string): Promise<Explained> {
  const answer = await platform.get(`/v1/contacts/${contactId}/why?campaignId=${id}`);
  expect([contactId, answer.status, answer.body]).toEqual([contactId, 200, expect.objectContaining({ success: true })]);
  return dataOf(answer);
}
const until = (id: string, status: string) => eventually(`${id} is ${status}`, async () => (await campaign(id))['status'] === status);
const arrived = (list: ReadonlySet<string>): Set<string> =>
  new Set(platform.smtp.messages.flatMap(({ to, headers }) => (list.has(to) && headers['subject']?.startsWith('News') ? to : [])));

/** Asks for the certificates until `work` is done. Each has to close, to count what the server has got by then, and to forget nothing of an earlier one. */
async function polled(lists: ReadonlyMap<string, ReadonlySet<string>>, work: () => Promise<void>): Promise<readonly Certificate[]> {
  const seen: Certificate[] = [];
  const sent = new Map<string, number>();
  let isDone = false;
  const poll = async (): Promise<void> => {
    while (!isDone)
      for (const [id, list] of lists) {
        const before = arrived(list).size;
        const one = await certificate(id);
        expectToClose(one);
        expect(one.sent).toBeGreaterThanOrEqual(Math.max(before, sent.get(id) ?? 0));
        sent.set(id, one.sent);
        seen.push(one);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
  };
  await Promise.all([
    poll(),
    work().finally(() => {
      isDone = true;
    }),
  ]);
  return seen;
}

async function killed(worker: Part): Promise<void> {
  await worker.kill9();
  await worker.start();
}

/** Does to people what stops their messages from now on. */
async function turnAway(topicId: string): Promise<void> {
  const contact = (email: string): string => `/v1/contacts/${encodeURIComponent(email)}`;
  const acts: Partial<Record<Group, (email: string) => Promise<Answer>>> = {
    unsubscribed: (email) => platform.post('/v1/contacts', { email, subscribed: false }),
    optedOut: (email) => platform.post('/v1/suppressions', { email, reason: 'unsubscribe' }),
    suppressed: (email) => platform.post('/v1/suppressions', { email }),
    topic: (email) => platform.request('PATCH', `${contact(email)}/topics`, { topics: [{ topicId, subscribed: false }] }),
    deleted: (email) => platform.request('DELETE', contact(email)),
  };
  for (const [group, act] of Object.entries(acts))
    for (const { status } of await Promise.all(peopleOf(group as Group).map(act))) expect(status).toBeLessThan(300);
  await stored.contacts.changeAll({ email: { $in: peopleOf('paused') } }, { snoozedUntil: new Date(Date.now() + HOUR_MS) });
}

/** A frozen audience of all groups that has the room of the month's limit, and one that is to be cancelled. */
async function launched() {
  const topicId = await made(
    platform.post('/v1/topics', { key: 'news', name: 'News', defaultSubscription: 'in', visibility: 'public' }),
    'topicId',
  );
  const cap = { name: 'weekly', max: 1, per: { amount: 7, unit: 'days' }, whenReached: 'skip' };
  await platform.request('PATCH', '/v1/settings', { frequencyCaps: [cap] });
  const lists = { news: [...groups.flatMap(peopleOf), ...addresses('others', OTHERS)], stopped: addresses('stopped', CANCELLED) };
  const far = new Set(peopleOf('window'));
  for (const [list, emails] of Object.entries(lists))
    await storeContacts(
      platform.keys.projectId,
      emails.map((email) => [email, { data: { list }, timezone: far.has(email) ? 'Pacific/Auckland' : 'UTC' }]),
    );
  await Promise.all([
    ...peopleOf('capped').map((to) => platform.send(to, { type: 'marketing' })),
    ...peopleOf('once').map((to) => platform.send(to, { sendOnce: { key: 'news' } })),
  ]);
  const { used } = dataOf(await platform.get('/v1/billing')).categories.campaign as { used: number };
  await platform.request('PATCH', '/v1/billing', { monthlyLimitCampaign: used + ROOM });

  const clock = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString().slice(11, 16);
  const windows = { from: clock(-2), until: clock(3), timezone: 'recipient', fallback: 'UTC', outside: 'skip' };
  const draft = (list: string): Promise<string> => {
    const filter = { logic: 'and', groups: [{ filters: [{ field: 'data.list', operator: 'equals', value: list }] }] };
    const given = { name: list, subject: 'News', body: '<p>Hello</p>', fromEmail: 'team@hello.test', audience: 'filter', filter };
    return made(platform.post('/v1/campaigns', { ...given, topicId, windows, sendOnce: { key: list } }), 'campaignId');
  };
  const [news, stopped] = [await draft('news'), await draft('stopped')];
  for (const id of [news, stopped]) expect((await platform.post(`/v1/campaigns/${id}/send`, {})).status).toBe(200);
  return { topicId, news, stopped, lists };
}

test('under kills, a pause, a correction and a cancel the sums close in every poll, and the reason of each recipient follows from its facts', async () => {
  const tried = new Set<string>();
  platform.smtp.script = ({ stage, to }) => {
    if (stage === 'rcpt' && to?.startsWith('bounced')) return { rcpt: { reply: '550 5.1.1 No such user here' } };
    if (stage === 'rcpt' && to?.startsWith('busy') && !tried.has(to)) return tried.add(to) && { rcpt: { reply: '451 4.3.0 Come again' } };
    return stage === 'dot' ? { dot: { delayMs: 60 } } : {};
  };
  const { topicId, news, stopped, lists } = await launched();
  const of = new Map([
    [news, new Set(lists.news)],
    [stopped, new Set(lists.stopped)],
  ]);
  const count = (id: string): number => arrived(of.get(id) ?? new Set()).size;
  const upTo = (id: string, more: number) => {
    const before = count(id);
    return eventually(`${more} more are out`, () => count(id) >= before + more);
  };

  const seen = await polled(of, async () => {
    await eventually('the limit holds it', async () => (await campaign(news))['heldReason'] === 'limit_reached');
    await eventually('the limit holds the other', async () => (await campaign(stopped))['heldReason'] === 'limit_reached');
    const waits = (await recipients(news)).find(({ status }) => status === 'pending');
    const waiting = await why(waits?.contactId ?? '', news);
    expect(waiting).toMatchObject({ verdict: 'pending', reason: 'limit_reached' });
    expect(reasonByFacts(waiting.judgements)).toEqual({ reason: 'limit_reached' });
    await turnAway(topicId);
    await killed(platform.worker);
    await platform.request('PATCH', '/v1/billing', { monthlyLimitCampaign: null });
    // Each as soon as it is in the middle: one may end while the other is waited for.
    const answers = [
      upTo(news, 30).then(() => platform.post(`/v1/campaigns/${news}/pause`, {})),
      upTo(stopped, 20).then(() => platform.post(`/v1/campaigns/${stopped}/cancel`, {})),
    ];
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
    await killed(second);
    expect((await platform.post(`/v1/campaigns/${news}/revise`, { subject: 'News again' })).status).toBe(200);
    expect((await platform.post(`/v1/campaigns/${news}/resume`, {})).status).toBe(200);
    await upTo(news, 30);
    await Promise.all([killed(platform.worker), killed(second)]);
    await until(news, 'sent');
    for (const id of [news, stopped])
      await eventually(`${id} is settled`, async () => {
        const lines = await certified(id);
        return lines.every(
          ({ outcome, reason }) => outcome !== 'pending' && outcome !== 'deferred' && (outcome !== 'in_doubt' || reason === 'cancelled'),
        );
      });
  });
  expect(seen.some(({ pending, inDoubt }) => pending > 0 && inDoubt > 0)).toBe(true);
  expect((await certificate(news)).byVersion.map(({ version }) => version)).toEqual([1, 2]);

  const stops = new Map(groups.flatMap((group) => peopleOf(group).map((email) => [email, GROUPS[group]] as const)));
  const met = new Set<string>();
  for (const [id, list] of of) {
    const got = arrived(list);
    const emails = new Map(await Promise.all([...list].map(async (to) => [await contactIdOf(platform.keys.projectId, to), to] as const)));
    const shown = new Map((await recipients(id)).map(({ contactId, skipDetail }) => [contactId, skipDetail ?? null]));
    const lines = await certified(id);
    expect(lines.map(({ contactId }) => contactId).sort()).toEqual([...emails.keys()].sort());
    const stopped: { readonly email: string; readonly last: Judged | undefined }[] = [];
    const judge = async ({ contactId, outcome, reason }: Line): Promise<void> => {
      const email = emails.get(contactId) ?? '';
      const { verdict, reason: because, detail = null, judgements } = await why(contactId, id);
      const isStopped = outcome === 'skipped' || reason === 'cancelled';
      const last = judgements.at(-1);
      expect({
        email,
        verdict,
        because,
        isThere: got.has(email),
        byFacts: reasonByFacts(judgements),
        passed: judgements.map(({ passed }) => passed),
        detail: shown.get(contactId),
      }).toEqual({
        email,
        verdict: outcome,
        because: reason,
        isThere: THERE[outcome],
        byFacts: isStopped ? { reason, ...(detail && { detail }) } : null,
        passed: judgements.map((one) => !isStopped || one !== last),
        // Who was deleted is not shown among the recipients.
        detail: shown.has(contactId) ? detail : undefined,
      });
      if (outcome === 'skipped') stopped.push({ email, last });
    };
    for (const some of chunks(lines, 10)) await Promise.all(some.map(judge));
    const known = stopped.filter(({ email }) => stops.has(email));
    expect(known).toMatchObject(known.map(({ email }) => ({ email, last: stops.get(email) })));
    for (const { last } of stopped) met.add(String(last?.check));
    const skips = lines.flatMap(({ outcome, reason }) => (outcome === 'skipped' ? String(reason) : []));
    const final = await certificate(id);
    expect(final.skipped).toEqual(Object.fromEntries([...new Set(skips)].map((one) => [one, skips.filter((each) => each === one).length])));
    expect(final.delivered).toBe(lines.filter(({ outcome }) => outcome === 'delivered').length);
  }
  // Some of those who were turned away had it already.
  const checks = ['campaign', 'contact', 'person_limits', 'snooze', 'subscription', 'suppression', 'topic', 'window'];
  expect([...met].sort()).toEqual(checks);
});
