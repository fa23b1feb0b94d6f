import { CampaignRecipientModel } from '../../src/marketing/campaigns/model';
import { eventually } from '../support/platform/platform';
import { aSkippingPlatform } from '../support/platform/skipping';

const MINUTE_MS = 60_000;
const ZONES = ['Pacific/Kiritimati', 'Asia/Tokyo', 'Asia/Kathmandu', 'Europe/Vienna', 'America/St_Johns', 'Pacific/Pago_Pago', null];
const platform = aSkippingPlatform();

interface Plan {
  readonly recipients: number;
  readonly fallback: number;
  readonly hours: readonly { readonly zones: readonly { readonly timezone: string; readonly at: string; readonly count: number }[] }[];
  readonly never: readonly object[];
}

let people = 0;

async function audience(each: number): Promise<ReadonlyMap<string, string>> {
  const zones = new Map<string, string>();
  for (const timezone of ZONES)
    for (let index = 0; index < each; index++) {
      const email = `plan${++people}@example.com`;
      expect((await platform.call('POST', '/v1/contacts', { email, timezone })).status).toBe(201);
      zones.set(email, timezone ?? 'Asia/Kolkata');
    }
  return zones;
}

test('the mail server gets each message in the minute that the plan says, for all recipients', async () => {
  const zones = await audience(3);
  await platform.call('POST', '/v1/contacts', { email: 'gone@example.com', subscribed: false, timezone: 'Asia/Tokyo' });
  const { data: draft } = await platform.call('POST', '/v1/campaigns', {
    name: 'News',
    subject: 'Hello',
    body: '<p>Hello</p>',
    fromEmail: 'team@hello.test',
    windows: { days: [1, 2, 3, 4, 5, 6, 7], from: '10:00', until: '20:00' },
  });
  const day = new Date((await platform.env.currentTimeMs()) + 2 * 86_400_000).toISOString().slice(0, 10);
  const launch = { scheduledFor: `${day}T09:00`, localTime: true, fallback: 'Asia/Kolkata' };
  const asked = await platform.call('POST', `/v1/campaigns/${String(draft.campaignId)}/plan`, launch);
  expect(asked.status).toBe(200);
  const plan = asked.data as Plan;
  expect(plan).toMatchObject({ recipients: zones.size, fallback: 3, never: [{ reason: 'unsubscribed', count: 1 }] });
  expect((await platform.call('GET', `/v1/campaigns/${String(draft.campaignId)}`)).data).toMatchObject({
    status: 'draft',
    scheduledFor: null,
  });
  expect((await platform.call('POST', `/v1/campaigns/${String(draft.campaignId)}/send`, launch)).status).toBe(200);

  const sent = (): readonly string[] => platform.smtp.messages.flatMap(({ to }) => to).filter((to) => zones.has(to));
  const turns = plan.hours.flatMap((hour) => hour.zones).sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  expect(turns.map(({ timezone }) => timezone).sort()).toEqual([...new Set(zones.values())].sort());
  const due = new Set<string>();
  for (const { timezone, at, count } of turns) {
    const before = Date.parse(at) - (await platform.env.currentTimeMs()) - MINUTE_MS;
    if (before > 0) await platform.env.sleep(before);
    // A minute before, it is the turn of those before it alone.
    expect([...sent()].sort()).toEqual([...due].sort());
    await platform.env.sleep(2 * MINUTE_MS);
    const own = [...zones].filter(([, zone]) => zone === timezone).map(([email]) => email);
    expect(own).toHaveLength(count);
    for (const email of own) due.add(email);
    await eventually(`those in ${timezone} have it`, () => sent().length === due.size);
  }
  expect([...sent()].sort()).toEqual([...zones.keys()].sort());
  await eventually(
    'it is sent',
    async () => (await platform.call('GET', `/v1/campaigns/${String(draft.campaignId)}`)).data.status === 'sent',
  );
  expect(await CampaignRecipientModel.countDocuments({ campaignId: draft.campaignId as string, turnAt: { $exists: true } })).toBe(
    zones.size,
  );
});
