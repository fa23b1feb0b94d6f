import { automationTriggers } from '../../../../src/marketing/automations/triggers';
import { sweepExecutions } from '../../../../src/marketing/automations/upkeep';
import { automationWaits } from '../../../../src/marketing/automations/waits';
import { listeningOf } from '../../../../src/records/events/listeners';
import { chain, emitted, node, ordered, started, waits } from '../../../support/calls/automations';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';

const app = aProject();

/** By then a new execution is due, and its wait has lasted long enough to be put off. */
const soon = (): Date => new Date(Date.now() + 2 * 60_000);
const WINDOW = { amount: 1, unit: 'hours' };
const gathers = chain(node('g', 'digest', { window: WINDOW, max: 2 }));

interface Started {
  readonly executionId: string;
  readonly contactId: string;
}

const fits = async ({ contactId }: Started): Promise<void> => automationWaits.handle(app.core, await ordered(app, contactId), 0);

async function fills({ contactId }: Started): Promise<void> {
  const event = await emitted(app, 'item.added', contactId);
  await automationTriggers.handle(app.core, event, (await listeningOf(event.projectId)).version);
}

const isHeld = ({ executionId }: Started): Promise<unknown> => stored.executions.changeAll({ _id: executionId }, { $set: { nudge: true } });

test.each([
  ['the event that it waits for is noted', waits(), {}, fits],
  ['its digest is full', gathers, { trigger: 'event:item.added' }, fills],
  ['it is held', waits(), {}, isHeld],
])('an execution is not put off to the end of its wait where, while it is checked, %s', async (_what, graph, change, happens) => {
  await stored.executions.changeAll({}, { $unset: { checkAt: 1 } });
  const execution = await started(app, graph, change);
  app.processes.start.mockImplementationOnce(async () => {
    await happens(execution);
  });
  expect(await sweepExecutions(app.core, soon())).toBe(1);
  expect(await sweepExecutions(app.core, soon())).toBe(1);
});
