import mongoose from 'mongoose';
import { aProject } from '../../../support/platform/app';
import { activate, contact, drive, enrol, runOf } from '../../../support/calls/automations';
import type { Shown } from '../../../support/calls/automations';
import { aHook, everyNode } from '../../../support/data/every-node';
import { stored } from '../../../support/data/stored';

const HOUR_MS = 3_600_000;

const hook = aHook();
const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test', WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' } });

afterEach(() => jest.restoreAllMocks());

/** One for each node that does something: the ends of waits and the conditions before it, and the instant of a delay behind it, go with it. */
const COMMITS = 8;
/** The one that keeps what the webhook has answered. */
const HOOK = 2;

class Killed extends Error {}

/**
 * Dies at the nth commit of a turn: before it, so that the transaction is as if it had never been, or after it, so that no caller has its answer. What else
 * commits meanwhile takes no turn and is left alone.
 */
function dieAt(nth: number, when: 'before' | 'after'): { readonly commits: () => number } {
  let commits = 0;
  const turns = new WeakSet<mongoose.mongo.ClientSession>();
  const { collection } = stored.executions;
  const bulkWrite = collection.bulkWrite.bind(collection);
  jest.spyOn(collection, 'bulkWrite').mockImplementation((writes, options) => {
    if (options?.session) turns.add(options.session);
    return bulkWrite(writes, options);
  });
  const { prototype } = mongoose.mongo.ClientSession;
  const commit = prototype.commitTransaction;
  jest.spyOn(prototype, 'commitTransaction').mockImplementation(async function (this: mongoose.mongo.ClientSession) {
    const dies = turns.has(this) && ++commits === nth;
    if (dies && when === 'before') throw new Killed();
    await commit.call(this);
    if (dies) throw new Killed();
  });
  return { commits: () => commits };
}

/** As Temporal does it: what died is asked for again, and time passes where the execution waits. Resolves to how often it died. */
async function driveOn(executionId: string): Promise<number> {
  let deaths = 0;
  for (let now = Date.now(); ;) {
    try {
      if ((await drive(app.core, app.keys.projectId, executionId, now)).next === 'over') return deaths;
      now += HOUR_MS;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      deaths += 1;
    }
  }
}

/** All that is left of an execution, without ids and instants. */
async function remains(automationId: string, contactId: string, executionId: string) {
  const { status, exitReason, steps } = await runOf(app, executionId);
  const emails = await stored.emails.all({ workflowId: automationId, contactId }, { _id: 1 });
  const events = await stored.events.all({ contactId });
  const { body } = await app.api().get(`/v1/contacts/${contactId}`).expect(200);
  return {
    status,
    exitReason,
    steps: steps.map((step) => [step.nodeId, step.status, step.branch, step.error, step.finishedAt !== null]),
    emails: emails.map(({ nodeId, status: of }) => `${nodeId} ${of}`).sort(),
    events: events.map(({ name }) => name).sort(),
    data: body.data.data as unknown,
    running: (await stored.enrolmentGuards.one({ contactId }))?.running,
  };
}

let somebodies = 0;

async function prepared(): Promise<{ id: string; begin: () => Promise<{ contactId: string; executionId: string }> }> {
  const segment = async () =>
    (await app.api().post('/v1/segments').send({ name: 'S', type: 'static' }).expect(201)).body.data.segmentId as string;
  const [into, outOf] = [await segment(), await segment()];
  const id = await activate(app, everyNode({ into, outOf, url: hook.url, pause: { amount: 1, unit: 'minutes' } }));
  const begin = async () => {
    const email = `somebody-${somebodies++}@example.com`;
    const contactId = await contact(app, { email });
    const add = { emails: [email] };
    await app.api().post(`/v1/segments/${outOf}/members`).send(add).expect(200);
    hook.keys.length = 0;
    return { contactId, executionId: await enrol(app, id, contactId, { data: { run: 1 } }) };
  };
  return { id, begin };
}

const counters = async (id: string) => {
  const { active, completed } = (await app.api().get(`/v1/workflows/${id}`)).body.data as Shown;
  const used = (await app.api().get('/v1/billing')).body.data.categories.workflow.used as number;
  return { active, completed, used };
};

/** To die before a commit leaves what dying after the one before it leaves, but for the calls that have gone out. */
test.each([
  ['before', [1, HOOK]],
  ['after', Array.from({ length: COMMITS }, (_, n) => n + 1)],
] as const)('an execution killed %s commits %j, each in turn, repeats nothing and skips nothing', async (when, deaths) => {
  const { id, begin } = await prepared();
  const whole = await begin();
  const counted = dieAt(Number.POSITIVE_INFINITY, when);
  expect(await driveOn(whole.executionId)).toBe(0);
  expect(counted.commits()).toBe(COMMITS);
  jest.restoreAllMocks();
  const expected = await remains(id, whole.contactId, whole.executionId);
  expect(expected).toMatchObject({ status: 'exited', exitReason: 'done', running: 0, data: { seen: '1' } });
  expect(expected.emails).toEqual(['mail-1 queued', 'mail-2 queued', 'mail-3 queued']);
  expect(expected.steps.map(([nodeId]) => nodeId)).toHaveLength(15);
  expect(expected.events).toEqual(
    expect.arrayContaining(['contact.updated', 'halfway', 'segment.entered', 'segment.exited', 'workflow.exited']),
  );
  const before = await counters(id);

  for (const [n, nth] of deaths.entries()) {
    const one = await begin();
    dieAt(nth, when);
    expect(await driveOn(one.executionId)).toBe(1);
    jest.restoreAllMocks();
    expect([nth, await remains(id, one.contactId, one.executionId)]).toEqual([nth, expected]);
    const calls = when === 'before' && nth === HOOK ? 2 : 1;
    expect(hook.keys).toEqual(Array.from({ length: calls }, () => `${one.executionId}/hook`));
    expect(await counters(id)).toEqual({ active: 0, completed: before.completed + n + 1, used: before.used + 3 * (n + 1) });
  }
});
