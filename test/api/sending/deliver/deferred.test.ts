import { findDeferred } from '../../../../src/records/emails';
import { listDeferred } from '../../../../src/sending/deliver';
import { lookedAt, queryPlans } from '../../../support/checks/query-plans';
import { storeEmails } from '../../../support/data/email-rows';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';

const lines: string[] = [];
const app = aProject({ log: (line) => void lines.push(line) });
const at = (second: number): Date => new Date(Date.now() + second * 1_000);

beforeEach(() => {
  app.processes.start.mockClear();
  app.processes.signal.mockClear();
});
afterEach(() => stored.emails.remove());

const deferred = (count: number) =>
  storeEmails(app.keys.projectId, ...Array.from({ length: count }, (_, n) => ({ attempts: 1, dueAt: at(600 + n) })));

test('what waits for another attempt is found soonest first, in an index that holds nothing else and all that is asked', async () => {
  const { projectId } = app.keys;
  const rows = await storeEmails(
    projectId,
    { attempts: 2, dueAt: at(20) },
    { attempts: 1, dueAt: at(10) },
    { dueAt: at(5) },
    { status: 'sending', attempts: 1 },
    { status: 'delivered', attempts: 2 },
  );
  const [later, sooner] = rows;
  const find = () => findDeferred(10);
  expect((await find()).map(({ _id }) => _id)).toEqual([sooner?._id, later?._id]);
  expect(await queryPlans('emails', find)).toEqual([{ plan: expect.stringMatching(/^IXSCAN \{ status: 1, dueAt: 1/), sorted: false }]);
  expect(await lookedAt('emails', find)).toBe(2);
});

test('workflows are begun for what no list names, and told when all of a list has gone', async () => {
  const { projectId } = app.keys;
  const emails = await deferred(61);
  const gone = { projectId, list: 1, emailIds: ['em_gone'], firstAt: null };
  app.processes.deferredLists.mockResolvedValueOnce([]).mockResolvedValueOnce([gone]);
  expect(await listDeferred(app.core)).toBe(2);
  const begun = app.processes.start.mock.calls.map(([intent]) => intent as Record<string, unknown>);
  expect(begun.map(({ workflowId }) => workflowId)).toEqual([`deferred/${projectId}/1`, `deferred/${projectId}/2`]);
  expect(begun[1]).toMatchObject({ attributes: { projectId, emailIds: [emails[60]?._id], due: emails[60]?.dueAt?.toISOString() } });

  await stored.emails.remove();
  expect(await listDeferred(app.core)).toBe(1);
  expect(app.processes.signal.mock.calls).toEqual([[expect.objectContaining({ workflowId: `deferred/${projectId}/1`, signal: 'empty' })]]);
});

test('one that is being sent stays in its list', async () => {
  const { projectId } = app.keys;
  const [email] = await storeEmails(projectId, { status: 'sending', attempts: 2 });
  app.processes.deferredLists.mockResolvedValueOnce([{ projectId, list: 1, emailIds: [email?._id], firstAt: 1 }]);
  expect(await listDeferred(app.core)).toBe(0);
});

test('a Temporal that does not answer is logged and holds up nothing', async () => {
  app.processes.deferredLists.mockRejectedValueOnce(new Error('away'));
  expect(await listDeferred(app.core)).toBe(0);
  expect(lines.join('')).toContain('was not listed in Temporal');
});
