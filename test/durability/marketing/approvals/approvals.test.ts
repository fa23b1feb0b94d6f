import { storeContacts } from '../../../support/data/people';
import { aPlatform, eventually } from '../../../support/platform/platform';

const platform = aPlatform({ ownServers: true });

const PEOPLE = Array.from({ length: 5 }, (_, index) => `reader-${index}@example.com`);

interface Approval {
  readonly approvalId: string;
  readonly state: string;
}

async function created<T>(path: string, body: object): Promise<T> {
  const { status, body: answer } = await platform.post(path, body);
  if (status !== 201) throw new Error(JSON.stringify(answer));
  return answer.data as T;
}

/** A campaign whose launch was requested. */
async function requested(name: string): Promise<{ readonly campaignId: string; readonly approvalId: string }> {
  const content = { name, subject: name, body: '<p>Hi</p>', fromEmail: 'team@hello.test', audience: 'all' };
  const { campaignId } = await created<{ campaignId: string }>('/v1/campaigns', content);
  const { approvalId } = await created<Approval>('/v1/approvals', { operation: 'sendCampaign', parameters: { id: campaignId } });
  return { campaignId, approvalId };
}

const stateOf = async (id: string): Promise<string> => ((await platform.get(`/v1/approvals/${id}`)).body.data as Approval).state;

test('what was approved is carried out once, however worker, Temporal and mongod are killed between the approval and the launch', async () => {
  await storeContacts(
    platform.keys.projectId,
    PEOPLE.map((email) => [email, {}] as const),
  );
  const { key } = await created<{ key: string }>('/v1/keys', { kind: 'secret' });
  const asPerson = { authorization: `Bearer ${key}` };
  const kills = [
    () => Promise.resolve(),
    async () => {
      await platform.temporal.kill9();
      await platform.temporal.restart();
    },
    async () => {
      await platform.mongod.kill9();
      await platform.mongod.restart();
    },
  ];
  const asked = await Promise.all(kills.map((_kill, index) => requested(`Round ${index}`)));
  for (const [index, { approvalId }] of asked.entries()) {
    const approve = () => platform.post(`/v1/approvals/${approvalId}/approve`, {}, asPerson);
    // Killed while nobody carries it out, and again when somebody has just begun to, or has done so.
    await platform.worker.kill9();
    await eventually('it is approved', async () => (await approve()).status === 200);
    await kills[index]?.();
    await platform.worker.start();
    await platform.worker.kill9();
    await platform.worker.start();
  }
  for (const { approvalId, campaignId } of asked) {
    await eventually(`${approvalId} is executed`, async () => (await stateOf(approvalId)) === 'executed');
    await eventually('the campaign is sent', async () => (await platform.get(`/v1/campaigns/${campaignId}`)).body.data.status === 'sent');
  }
  for (const email of PEOPLE) expect([email, new Set(platform.messageIds(email)).size]).toEqual([email, kills.length]);
});
