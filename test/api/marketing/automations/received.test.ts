import { automationTriggers } from '../../../../src/marketing/automations/triggers';
import { aProject } from '../../../support/platform/app';
import { startFanOutLoop } from '../../../support/platform/fan-out-loop';
import { activate, always, chain, contact, drive, hour, runOf, send } from '../../../support/calls/automations';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const patch = (id: string, change: object) => app.api().patch(`/v1/workflows/${id}`).send(change).expect(200);
const pause = (id: string) => patch(id, { status: 'paused' });
const resume = (id: string) => patch(id, { status: 'active' });

interface Answer {
  readonly eventId: string;
  readonly triggered: readonly { readonly workflowId: string }[];
  readonly skipped: readonly { readonly workflowId: string; readonly reason: string }[];
}

const happen = async (name: string, contactId: string): Promise<Answer> =>
  (await app.api().post('/v1/events').send({ name, contactId }).expect(201)).body.data as Answer;

const reasonOf = ({ triggered, skipped }: Answer, id: string): string =>
  triggered.some(({ workflowId }) => workflowId === id)
    ? 'dispatched'
    : (skipped.find(({ workflowId }) => workflowId === id)?.reason ?? '');

/** A worker that was away comes back, hands on all that waits, and is gone again. */
async function comeBack(): Promise<void> {
  const loop = startFanOutLoop(app.core, [automationTriggers]);
  await loop.quiet();
  await loop.stop();
}

const enrolledBy = async (automationId: string): Promise<readonly (string | null)[]> =>
  (await stored.executions.all({ automationId })).map(({ eventId }) => eventId).sort();

const draft = async (trigger: string): Promise<string> =>
  (
    await app
      .api()
      .post('/v1/workflows')
      .send({ name: 'A', trigger, graph: chain(hour), reentry: 'always' })
      .expect(201)
  ).body.data.workflowId as string;

test('an event starts what was active when it was received, whatever is when it is handed on', async () => {
  const contactId = await contact(app);
  const id = await draft('event:late');
  // Somebody else listens, so that the events are handed on.
  await activate(app, chain(hour), { trigger: 'event:late', ...always });
  const answers: Answer[] = [];
  const said: string[] = [];
  const once = async (): Promise<void> => {
    const answer = await happen('late', contactId);
    answers.push(answer);
    said.push(reasonOf(answer, id));
  };
  await once();
  await resume(id);
  await once();
  await pause(id);
  await once();
  await resume(id);
  await pause(id);
  await once();
  await resume(id);
  await once();
  await pause(id);
  expect(said).toEqual(['workflow_draft', 'dispatched', 'workflow_paused', 'workflow_paused', 'dispatched']);
  await comeBack();
  expect(await enrolledBy(id)).toEqual([answers[1]?.eventId, answers[4]?.eventId].sort());
});

test('one that is paused by then is enrolled, and stops before its first node until the automation is active again', async () => {
  const contactId = await contact(app);
  const id = await activate(app, chain(send('hello')), { trigger: 'event:held' });
  await happen('held', contactId);
  await pause(id);
  await comeBack();
  const [execution] = await stored.executions.all({ automationId: id });
  const executionId = execution?._id ?? '';
  expect(await drive(app.core, app.keys.projectId, executionId)).toMatchObject({ next: 'wait', cause: 'paused' });
  expect((await runOf(app, executionId)).steps).toEqual([]);
  await resume(id);
  await drive(app.core, app.keys.projectId, executionId);
  expect(await runOf(app, executionId)).toMatchObject({ status: 'completed' });
});

test('an event goes by the trigger at its receipt', async () => {
  const contactId = await contact(app);
  const id = await activate(app, chain(hour), { trigger: 'event:old.name', ...always });
  await activate(app, chain(hour), { trigger: 'event:new.name', ...always });
  const early = await happen('new.name', contactId);
  const before = await happen('old.name', contactId);
  await patch(id, { trigger: 'event:new.name' });
  const after = await happen('new.name', contactId);
  await comeBack();
  expect([early, before, after].map((answer) => reasonOf(answer, id))).toEqual(['', 'dispatched', 'dispatched']);
  expect(await enrolledBy(id)).toEqual([before.eventId, after.eventId].sort());
});

test('contacts that entered a segment before the activation are not enrolled', async () => {
  const segment = (await app.api().post('/v1/segments').send({ name: 'S', type: 'static' }).expect(201)).body.data.segmentId as string;
  const id = await draft(`segment:enter:${segment}`);
  await activate(app, chain(hour), { trigger: `segment:enter:${segment}` });
  const enter = async (email: string): Promise<string> => {
    const contactId = await contact(app, { email });
    await app
      .api()
      .post(`/v1/segments/${segment}/members`)
      .send({ emails: [email] })
      .expect(200);
    return contactId;
  };
  await enter('before@example.com');
  await resume(id);
  const after = await enter('after@example.com');
  await comeBack();
  expect((await stored.executions.all({ automationId: id })).map(({ contactId }) => contactId)).toEqual([after]);
});

test('what is answered is what happens, for every event, while it is switched on and off', async () => {
  const contactId = await contact(app);
  const id = await draft('event:racing');
  await activate(app, chain(hour), { trigger: 'event:racing', ...always });
  const answers: Answer[] = [];
  let over = false;
  const events = async (name: string, email?: string): Promise<void> => {
    while (!over) {
      const body = email === undefined ? { name, contactId } : { name, email: `${answers.length}${Math.random()}@example.com` };
      answers.push((await app.api().post('/v1/events').send(body).expect(201)).body.data as Answer);
    }
  };
  const sending = [events('racing'), events('racing'), events('racing', 'new')];
  for (let round = 0; round < 8; round++) await (round % 2 === 0 ? resume(id) : pause(id));
  over = true;
  await Promise.all(sending);
  await comeBack();
  const promised = answers.filter((answer) => reasonOf(answer, id) === 'dispatched').map(({ eventId }) => eventId);
  expect(await enrolledBy(id)).toEqual(promised.sort());
});
