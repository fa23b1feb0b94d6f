import { randomInt } from 'node:crypto';
import type { ClientSession } from 'mongoose';
import type { Execution, Step } from './execution-model';
import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';

/** Counts the enrollments of a contact in an automation: every enrollment writes it, so concurrent ones are serialized. */
export interface EnrolmentGuard {
  /** `<automationId>:<contactId>` */
  readonly _id: string;
  readonly projectId: string;
  readonly contactId: string;
  readonly running: number;
  readonly total: number;
  /** The contact's creation: one that is deleted and created again counts from zero. */
  readonly since: Date;
}

const guardSchema = rowSchema<EnrolmentGuard>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  contactId: { type: String, required: true },
  running: { type: Number, required: true },
  total: { type: Number, required: true },
  since: { type: Date, required: true },
});
guardSchema.index({ projectId: 1, contactId: 1 }); // removes the data of a deleted contact

export const EnrolmentGuardModel = model<EnrolmentGuard>('EnrolmentGuard', guardSchema, 'automation_guards');

/** Outcomes of the steps at a node, of executions that are over. */
export interface NodeCounts {
  readonly entered: number;
  readonly completed: number;
  readonly skipped: number;
  readonly failed: number;
}

/** A part of an automation's counters, as all concurrent enrollments would write a single row. */
interface AutomationCounts {
  /** `<automationId>:<part>` */
  readonly _id: string;
  readonly projectId: string;
  readonly automationId: string;
  readonly entered: number;
  readonly completed: number;
  readonly exited: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly nodes?: Readonly<Record<string, Partial<NodeCounts>>>;
  /** Written when the automation is deleted: conflicts with a concurrent enrollment, so that the deletion is repeated. */
  readonly closedAt?: Date;
}

const count = { type: Number, default: 0 };

const countSchema = rowSchema<AutomationCounts>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  automationId: { type: String, required: true },
  entered: count,
  completed: count,
  exited: count,
  failed: count,
  cancelled: count,
  nodes: { type: Schema.Types.Mixed },
  closedAt: { type: Date },
});
countSchema.index({ projectId: 1, automationId: 1 }); // the counters of some automations

export const AutomationCountsModel = model<AutomationCounts>('AutomationCounts', countSchema, 'automation_counts');

const PARTS = 16;

const NAMES = ['entered', 'completed', 'exited', 'failed', 'cancelled'] as const;

export type Totals = Readonly<Record<(typeof NAMES)[number], number>>;

const NOTHING: Totals = { entered: 0, completed: 0, exited: 0, failed: 0, cancelled: 0 };

/** Returns how many executions are neither completed nor stopped. */
export const activeOf = ({ entered, completed, exited, failed, cancelled }: Totals): number =>
  entered - completed - exited - failed - cancelled;

type Counted = Pick<Execution, 'projectId' | 'automationId'>;

/** Processes count in rows of their own, as far as these suffice, so that their transactions seldom conflict. */
const OWN_PART = randomInt(PARTS);

/** Enrollments and progress are counted in different rows: steps do not wait for the enrollments of a crowd, nor the other way around. */
const PART_OF = { enters: OWN_PART, goesOn: (OWN_PART + PARTS / 2) % PARTS } as const;

/** Returns the row in which this process counts executions of an automation: its transactions write it in sequence. */
export const partOf = ({ automationId }: Pick<Counted, 'automationId'>, when: keyof typeof PART_OF): string =>
  `${automationId}:${PART_OF[when]}`;

/** Counts enrollments, in their transaction. */
export const countEntered = (session: ClientSession, executions: readonly Counted[]): Promise<void> =>
  add(
    session,
    'enters',
    executions.map((execution) => ({ execution, increments: { entered: 1 } })),
  );

/** Counts executions that are over, and the outcomes of their steps, in the transaction that ends them. */
export const countOver = (
  session: ClientSession,
  over: readonly { readonly execution: Counted; readonly status: Exclude<keyof Totals, 'entered'>; readonly steps: readonly Step[] }[],
): Promise<void> =>
  add(
    session,
    'goesOn',
    over.map(({ execution, status, steps }) => ({ execution, increments: { [status]: 1, ...nodeIncrements(steps) } })),
  );

function nodeIncrements(steps: readonly Step[]): Record<string, number> {
  return Object.fromEntries(
    steps.flatMap(({ nodeId, status }) => [
      [`nodes.${nodeId}.entered`, 1],
      [`nodes.${nodeId}.${status}`, 1],
    ]),
  );
}

type Increments = Readonly<Record<string, number>>;

async function add(
  session: ClientSession,
  when: keyof typeof PART_OF,
  rows: readonly { readonly execution: Counted; readonly increments: Increments }[],
): Promise<void> {
  const parts = new Map<string, { execution: Counted; sums: Record<string, number> }>();
  for (const { execution, increments } of rows) {
    const id = partOf(execution, when);
    const part = parts.get(id) ?? { execution, sums: {} };
    for (const [name, by] of Object.entries(increments)) part.sums[name] = (part.sums[name] ?? 0) + by;
    parts.set(id, part);
  }
  const writes = [...parts].map(
    ([
      _id,
      {
        execution: { projectId, automationId },
        sums,
      },
    ]) => ({
      updateOne: { filter: { _id: _id, projectId }, update: { $inc: sums, $set: { automationId } }, upsert: true, hint: '_id_' },
    }),
  );
  if (writes.length > 0) await AutomationCountsModel.collection.bulkWrite(writes, { session });
}

/** Sums up the counters of automations, by id. */
export async function totalsOf(
  projectId: string,
  automationIds: readonly string[],
  session?: ClientSession,
): Promise<ReadonlyMap<string, Totals>> {
  const rows = await readParts(projectId, automationIds, session);
  const totals = new Map<string, Totals>(automationIds.map((id) => [id, NOTHING]));
  for (const row of rows) totals.set(row.automationId, sum(totals.get(row.automationId) ?? NOTHING, row));
  return totals;
}

const sum = (a: Totals, b: Partial<Totals>): Totals =>
  Object.fromEntries(NAMES.map((name) => [name, a[name] + (b[name] ?? 0)])) as unknown as Totals;

/** Reads the rows that hold the counters of automations. */
export const readParts = (projectId: string, automationIds: readonly string[], session?: ClientSession): Promise<AutomationCounts[]> =>
  AutomationCountsModel.collection
    .find<AutomationCounts>({ projectId, automationId: { $in: [...automationIds] } }, session ? { session } : {})
    .toArray();

/** Lets the transaction conflict with every concurrent enrollment in the automation. */
export async function closeCounts(session: ClientSession, projectId: string, automationId: string, closedAt: Date): Promise<void> {
  const writes = Array.from({ length: PARTS }, (_, part) => ({
    updateOne: {
      filter: { _id: `${automationId}:${part}`, projectId },
      update: { $set: { automationId, closedAt } },
      upsert: true,
      hint: '_id_',
    },
  }));
  await AutomationCountsModel.collection.bulkWrite(writes, { session });
}

/** Counts executions of all automations: active ones, and ended ones by how they ended. */
export async function executionTotals(maxTimeMS: number): Promise<Readonly<Record<'active' | Exclude<keyof Totals, 'entered'>, number>>> {
  const sums = Object.fromEntries(NAMES.map((name) => [name, { $sum: `$${name}` }]));
  const [row] = await AutomationCountsModel.collection.aggregate<Totals>([{ $group: { _id: null, ...sums } }], { maxTimeMS }).toArray();
  const totals = row ?? NOTHING;
  const { completed, exited, failed, cancelled } = totals;
  return { active: activeOf(totals), completed, exited, failed, cancelled };
}
