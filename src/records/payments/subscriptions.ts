import type { ClientSession } from 'mongoose';
import type { Core, ProjectFacts } from '../../platform/core';
import { AppError, newId } from '../../platform/core';
import { inTransaction } from '../../platform/mongo';
import { wantNow } from '../../platform/outbox';
import { bumpConfigVersion, setCaps, setPlan } from '../projects';
import type { SubscriptionReport } from '../../rules/subscriptions';
import {
  afterCancellation,
  afterPeriod,
  afterReport,
  currentOf,
  dueAt,
  firstKnown,
  isOver,
  isRunning,
  planOf,
  replacedOf,
} from '../../rules/subscriptions';
import { subscriptionChangedIntent } from './intents';
import { PaymentNotificationModel, SubscriptionModel } from './model';
import type { Subscription } from './model';

export type { Subscription } from './model';

/*
 * Applies a change of a subscription, in this order: its row, the project's plan, the mark of the notification and the intent of its
 * workflow are written in one transaction; then the caller is answered and the workflow started or signaled; the workflow asks the
 * provider.
 *
 * | killed here                                              | found                             | happens                                                      |
 * | -------------------------------------------------------- | --------------------------------- | ------------------------------------------------------------ |
 * | a session was opened, its row is not committed           | nothing                           | no one has its address: it ends unpaid; another is asked for |
 * | its row is committed, the caller not answered            | row, intent                         | the same; its workflow finds it unpaid and removes the row   |
 * | the first notification never comes                       | the session's row                 | its workflow asks the provider, and applies what it finds    |
 * | what it found is applied, the session's row not removed  | both rows                         | it asks again, finds the subscription known, removes the row |
 * | a notification came, its transaction is not committed    | nothing                           | the provider sends it again; it is applied then              |
 * | the transaction is committed, the provider not answered  | row, plan, mark, intent             | it sends it again; the mark acknowledges it without effect   |
 * | committed, the workflow not started (Temporal is away)   | the intent in the outbox            | the sweep starts it                                          |
 * | the provider took a cancellation, that is not recorded   | `cancelWantedAt`                  | it is asked again, which changes nothing, then recorded      |
 * | the provider was asked, its answer is not stored         | the row as before                 | it is asked again                                            |
 * | the period's end is recorded, the workflow runs on       | a row that is over                | the activity finds it over; the workflow ends                |
 * | a workflow was ended by hand                             | `dueAt` long past                 | the sweep starts it again                                    |
 */

const rowsOf = (projectId: string, session: ClientSession | null = null): Promise<Subscription[]> =>
  SubscriptionModel.find({ projectId }).session(session).lean<Subscription[]>();

const rowOf = (subscriptionId: string, session: ClientSession | null = null): Promise<Subscription | null> =>
  SubscriptionModel.findById(subscriptionId).session(session).lean<Subscription>();

/** Resolves to the subscription that a project has or last had; null when nothing was ever bought. */
export const currentSubscription = async (projectId: string): Promise<Subscription | null> => currentOf(await rowsOf(projectId));

/** Resolves to the subscriptions of a project, all of them. */
export const subscriptionsOf = (projectId: string): Promise<Subscription[]> => rowsOf(projectId);

/** Resolves to what is known of a subscription; null when it was never heard of. */
export const knownSubscription = (subscriptionId: string): Promise<Subscription | null> => rowOf(subscriptionId);

/** The result of a report: `unknown_project` when it is not for a project of this installation. */
type Outcome = 'applied' | 'repeated' | 'nothing_new' | 'unknown_project';

export interface Reported {
  readonly subscriptionId: string;
  /** Ignored for a known subscription: it never moves to another project. */
  readonly projectId: string | null;
  readonly report: SubscriptionReport;
}

/**
 * Applies what the provider reports. A notification is applied once; `notificationId` is null for an answer that the subscription's own workflow asked for.
 */
export const applyReport = (core: Core, reported: Reported, notificationId: string | null): Promise<Outcome> =>
  apply(core, reported, notificationId, notificationId);

/** Applies what the provider answered about a subscription that no notification has made known. */
export const applyFinding = (core: Core, reported: Reported): Promise<Outcome> => apply(core, reported, null, newId('ask'));

async function apply(core: Core, reported: Reported, notificationId: string | null, cause: string | null): Promise<Outcome> {
  try {
    return await inTransaction(async (session) => {
      if (notificationId !== null && (await wasTaken(session, notificationId))) return 'repeated';
      const known = await rowOf(reported.subscriptionId, session);
      const next = known ? afterReport(known, reported.report) : firstRow(reported);
      if (next === null) return known ? 'nothing_new' : 'unknown_project';
      await store(session, core, next, cause);
      return 'applied';
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return 'unknown_project';
    throw error;
  }
}

const firstRow = ({ subscriptionId: _id, projectId, report }: Reported): Subscription | null =>
  projectId === null ? null : { _id, projectId, ...firstKnown(report), dueAt: null };

async function wasTaken(session: ClientSession, notificationId: string): Promise<boolean> {
  if (await PaymentNotificationModel.exists({ _id: notificationId }).session(session)) return true;
  await PaymentNotificationModel.create([{ _id: notificationId, receivedAt: new Date() }], { session });
  return false;
}

/**
 * Writes a subscription and what follows from it for its project. `cause` distinguishes the intent for its workflow from others; null when that workflow makes the change:
 * a signal to itself would have it ask again at once. Throws `not_found` if the project does not exist.
 */
async function store(session: ClientSession, core: Core, next: Subscription, cause: string | null): Promise<void> {
  const { projectId } = next;
  const before = await rowsOf(projectId, session);
  const others = before.filter(({ _id }) => _id !== next._id);
  const replaced = replacedOf([...others, next]).map((row) => ({ ...row, cancelWantedAt: new Date() }));
  const changed = [...(replaced.some(({ _id }) => _id === next._id) ? [] : [next]), ...replaced];
  for (const row of changed) await write(session, row);
  // Every change of a project's subscriptions writes the project, so that two of them at once cannot miss each other.
  await bumpConfigVersion(projectId, session);
  const plan = planOf([...others, next]);
  if (plan !== planOf(before)) await setPlan(projectId, plan, session);
  const signalled = cause === null ? replaced : changed;
  await wantAsking(session, core, signalled, cause);
}

/** Asks the workflows of subscriptions to ask the provider. */
const wantAsking = (session: ClientSession, core: Core, rows: readonly Subscription[], cause: string | null): Promise<void> =>
  wantNow(
    session,
    core,
    rows.map((row) => subscriptionChangedIntent(row, cause ?? newId('ask'))),
  );

async function write(session: ClientSession, row: Subscription): Promise<void> {
  const due = dueAt(row);
  const { _id, ...fields } = { ...row, dueAt: due === null ? null : new Date(due) };
  await SubscriptionModel.updateOne({ _id }, { $set: fields }, { session, upsert: true });
}

/** Records, for the subscription's own workflow, that the provider took a cancellation. */
export const recordCancellation = (core: Core, subscriptionId: string, at: Date): Promise<void> =>
  changing(core, subscriptionId, (row) => afterCancellation(row, at));

/** Ends, for its own workflow, a cancelled subscription, and with it the plan, when its period is over by `now`. */
export const recordPeriodEnd = (core: Core, subscriptionId: string, now: number): Promise<void> =>
  changing(core, subscriptionId, (row) => afterPeriod(row, now));

const changing = (core: Core, subscriptionId: string, change: (row: Subscription) => Subscription | null): Promise<void> =>
  inTransaction(async (session) => {
    const row = await rowOf(subscriptionId, session);
    const next = row && change(row);
    if (next) await store(session, core, next, null);
  });

/**
 * Changes the caps and goes back to the free plan: at once where nothing runs, else when the period that is paid for ends. The request is kept until the
 * provider has taken the cancellation, however long it or Temporal is away.
 */
export const downgrade = (core: Core, projectId: string, caps: Partial<ProjectFacts['caps']>): Promise<void> =>
  inTransaction(async (session) => {
    const rows = (await rowsOf(projectId, session)).filter((row) => !isOver(row));
    const now = new Date();
    const wanted = rows
      .filter(({ cancelAtNextBillingDate, cancelWantedAt }) => !cancelAtNextBillingDate && cancelWantedAt === null)
      .map((row) => ({ ...row, cancelWantedAt: now }));
    for (const row of wanted) await write(session, row);
    await bumpConfigVersion(projectId, session);
    if (Object.keys(caps).length > 0) await setCaps(projectId, caps, null, session);
    if (!rows.some(isRunning)) await setPlan(projectId, 'free', session);
    await wantAsking(session, core, wanted, null);
  });

/** Resolves to whether the project has a subscription that is not over at the provider. */
export const hasLiveSubscription = async (projectId: string): Promise<boolean> =>
  (await SubscriptionModel.exists({ projectId, dueAt: { $ne: null } })) !== null;
