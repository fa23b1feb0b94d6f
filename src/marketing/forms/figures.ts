import { burstLimit } from '../../rules/form-limits';
import { FormFiguresModel, FormHourModel, REFUSALS } from './model';
import type { Form, FormFigures, FormHour, FormRefusal } from './model';

const HOUR_MS = 3_600_000;
/** Hours, at most, whose average is usual for a form: a week. */
const USUAL_HOURS = 168;

/** The figures of a form, with a count for every cause. */
export interface ShownFigures {
  readonly submitted: number;
  readonly confirmed: number;
  readonly refused: Readonly<Record<FormRefusal, number>>;
}

type Key = Pick<Form, '_id' | 'projectId'>;

const add = async ({ _id, projectId }: Key, $inc: Readonly<Record<string, number>>): Promise<void> => {
  await FormFiguresModel.updateOne({ _id, projectId }, { $inc }, { upsert: true });
};

/** Counts a sign-up that was accepted. */
export const countSubmitted = (form: Key): Promise<void> => add(form, { submitted: 1 });

/** Counts a sign-up that was refused, by its cause. */
export const countRefused = (form: Key, cause: FormRefusal): Promise<void> => add(form, { [`refused.${cause}`]: 1 });

/** Counts a sign-up that was confirmed. Creates nothing for a form that is gone. */
export const countConfirmed = async (projectId: string, formId: string): Promise<void> => {
  await FormFiguresModel.updateOne({ _id: formId, projectId }, { $inc: { confirmed: 1 } });
};

/** Resolves to what happened at forms of a project since they were created, by their ids. */
export async function figuresOf(projectId: string, ids: readonly string[]): Promise<(formId: string) => ShownFigures> {
  const rows = await FormFiguresModel.find({ _id: { $in: [...ids] }, projectId }).lean<FormFigures[]>();
  const byId = new Map(rows.map((row) => [row._id, shown(row)]));
  return (formId) => byId.get(formId) ?? shown();
}

function shown(row?: FormFigures): ShownFigures {
  const refused = Object.fromEntries(REFUSALS.map((cause) => [cause, row?.refused?.[cause] ?? 0])) as Record<FormRefusal, number>;
  return { submitted: row?.submitted ?? 0, confirmed: row?.confirmed ?? 0, refused };
}

/** Counts a sign-up in its hour. Resolves to whether there are more in it than is usual for the form, many times over. */
export async function isBurst({ _id: formId, projectId, openings, createdAt }: Form, now: Date): Promise<boolean> {
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
  const row = await FormHourModel.findOneAndUpdate(
    { _id: `${formId}/${hour.toISOString()}/${openings}`, projectId },
    { $inc: { count: 1 }, $setOnInsert: { formId, hour } },
    { upsert: true, returnDocument: 'after' },
  ).lean<FormHour>();
  const count = row?.count ?? 0;
  if (count <= burstLimit([], 1)) return false;
  const since = new Date(hour.getTime() - USUAL_HOURS * HOUR_MS);
  const before = await FormHourModel.find({ projectId, formId, hour: { $gte: since, $lt: hour } }).lean<FormHour[]>();
  const hours = Math.min(USUAL_HOURS, (hour.getTime() - createdAt.getTime()) / HOUR_MS);
  return (
    count >
    burstLimit(
      before.map((each) => each.count),
      hours,
    )
  );
}
