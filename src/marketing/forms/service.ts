import type { ClientSession } from 'mongoose';
import type { Brand } from '../../contracts/brand';
import { compileContent } from '../../message/template';
import { invalid, newId, notFound } from '../../platform/core';
import type { Context, PageRequest } from '../../platform/core';
import { newestFirst, ownRow } from '../../platform/mongo';
import type { Page } from '../../platform/mongo';
import { requireRoom, withReferenceLock } from '../../records/events';
import { findProject } from '../../records/projects';
import { requireTopics } from '../../sending/opt-in';
import { findTemplates } from '../../sending/templates';
import { FormFiguresModel, FormHourModel, FormModel, REFUSALS } from './model';
import type { Form, FormContent, FormFigures, FormHour, FormRefusal } from './model';
import { burstLimit } from '../../rules/form-limits';

/** A form with the brand that its page shows. */
export interface BrandedForm extends Form {
  readonly brand: Brand | undefined;
}

/** Forms that a project may have. */
const MOST = 200;

/** Stores a form, open. Throws 422 `not_found` for topics and a template that do not exist, `invalid_template` and `limit_exceeded`. */
export async function createForm(ctx: Context, content: FormContent): Promise<Form> {
  await requireTopics(ctx, content.topics);
  await requireConfirmation(ctx, content.templateId);
  const { projectId } = ctx;
  return withReferenceLock(projectId, async (session) => {
    await requireRoom(session, projectId, { what: 'forms', most: MOST, of: FormModel });
    const now = new Date();
    const state = { state: 'open' as const, heldReason: null, heldAt: null, openings: 0 };
    const form: Form = { _id: newId('frm', now.getTime()), projectId, ...content, ...state, createdAt: now, updatedAt: now };
    await FormModel.create([form], { session });
    return form;
  });
}

/** Checks the template of a confirmation: without the link, it would confirm nothing. Throws 422. */
async function requireConfirmation({ projectId }: Context, templateId: string | null): Promise<void> {
  if (templateId === null) return;
  const path = 'confirmation.templateId';
  const template = (await findTemplates(projectId, [templateId])).get(templateId);
  if (!template) throw invalid(path, 'not_found', 'Template not found');
  const { placeholders } = compileContent({ subject: template.subject, html: template.body, text: null });
  if (!placeholders.includes('confirmUrl'))
    throw invalid(path, 'invalid_template', 'The template needs {{confirmUrl}}: it is the link that confirms');
}

/** Resolves to a project's forms, newest first. */
export const listForms = ({ projectId }: Context, page: PageRequest): Promise<Page<Form>> => newestFirst(FormModel, { projectId }, page);

/** Resolves to a form. Throws `not_found`. */
export const getForm = ({ projectId }: Context, _id: string, session?: ClientSession): Promise<Form> =>
  ownRow(FormModel, 'Form', { _id, projectId }, session);

/** Resolves to a form of any project, for its page; null if it does not exist. */
export async function formOfPage(id: string): Promise<BrandedForm | null> {
  const form = await FormModel.findOne({ _id: id }).lean<Form>();
  const project = form && (await findProject(form.projectId));
  return form && project ? { ...form, brand: project.brand } : null;
}

export type FormPatch = { readonly [K in keyof FormContent]?: FormContent[K] | undefined } & { readonly state?: Form['state'] | undefined };

/** Changes what is given and keeps the rest. Opening a form again starts its count of the hour from zero. Throws `not_found`, and what `createForm` throws. */
export async function patchForm(ctx: Context, id: string, { state, ...patch }: FormPatch): Promise<Form> {
  if (patch.topics) await requireTopics(ctx, patch.topics);
  await requireConfirmation(ctx, patch.templateId ?? null);
  const { projectId } = ctx;
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  return withReferenceLock(projectId, async (session) => {
    const now = new Date();
    const current = await getForm(ctx, id, session);
    const turned = state === undefined || state === current.state ? {} : switched(current, state, now);
    const next: Form = { ...current, ...given, ...turned, updatedAt: now };
    const { _id, projectId: _projectId, createdAt: _createdAt, ...fields } = next;
    await FormModel.updateOne({ _id, projectId }, { $set: fields }, { session });
    return next;
  });
}

const switched = ({ openings }: Form, state: Form['state'], now: Date): Partial<Form> =>
  state === 'open' ? { state, heldReason: null, heldAt: null, openings: openings + 1 } : { state, heldReason: 'manual', heldAt: now };

/** Holds a form whose sign-ups come in a burst, unless it is held already. */
export async function holdForm({ _id, projectId, openings }: Form, now: Date): Promise<void> {
  const hold = { $set: { state: 'held' as const, heldReason: 'burst' as const, heldAt: now } };
  await FormModel.updateOne({ _id, projectId, state: 'open', openings }, hold);
}

/** Removes a form. Sign-ups that wait for their confirmation can still be confirmed. Throws `not_found`. */
export async function deleteForm({ projectId }: Context, id: string): Promise<void> {
  const { deletedCount } = await FormModel.deleteOne({ _id: id, projectId });
  if (deletedCount === 0) throw notFound('Form');
  await FormFiguresModel.deleteOne({ _id: id, projectId });
  await FormHourModel.deleteMany({ projectId, formId: id });
}

const named = async (session: ClientSession, filter: object): Promise<string | null> =>
  (await FormModel.findOne(filter, { name: 1 }, { session }).lean<Pick<Form, 'name'>>())?.name ?? null;

/** Resolves to the name of a form that uses a topic; null if there is none. */
export const formWithTopic = (session: ClientSession, projectId: string, { _id }: { readonly _id: string }): Promise<string | null> =>
  named(session, { projectId, topics: _id });

/** Resolves to the name of a form that confirms with a template; null if there is none. */
export const formSending = (session: ClientSession, projectId: string, templateId: string): Promise<string | null> =>
  named(session, { projectId, templateId });

const HOUR_MS = 3_600_000;
/** Number of hours whose average is usual for a form: up to a week. */
const USUAL_HOURS = 168;

/** The figures of a form, with a count for every cause. */
interface ShownFigures {
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
