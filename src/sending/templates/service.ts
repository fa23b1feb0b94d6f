import type { ClientSession } from 'mongoose';
import { invalid, limitOf, newId, notFound, positionAt } from '../../platform/core';
import type { Context, PageRequest, Rows } from '../../platform/core';
import { lockReferences, requireRoom, withReferenceLock } from '../../records/events';
import { requireTopic } from '../../audience/topics';
import { archivedFilter, archiving } from '../../platform/archive';
import { containing, inSequence, inTransaction, newest, rowsOf, ownRow } from '../../platform/mongo';
import { TemplateModel, TemplateVersionModel } from './model';
import type { Template, TemplateContent, TemplateType, TemplateVersion } from './model';
import { sameJson } from '../../rules/same-json';
import type { TrackingWish } from '../../contracts/tracking';
import { withChanges, excessOf } from '../../rules/translations';
import type { TranslationChanges, Translations } from '../../rules/translations';
import { checkAllSyntax } from './checks';
import { refuseWhileSent } from './in-use';
import { copyName } from '../../rules/cut-text';

export type { Template, TemplateVersion } from './model';

export interface NewTemplate extends TemplateContent {
  readonly name: string;
  readonly type: TemplateType;
  readonly tracking?: TrackingWish | null | undefined;
  readonly topicId?: string | null | undefined;
}

export interface TemplateFilter {
  readonly type?: TemplateType | undefined;
  /** Part of the name, in any case. */
  readonly search?: string | undefined;
  /** All templates where it is undefined. */
  readonly archived?: boolean | undefined;
}

type Patch<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** A change of a template; its variants change by language. */
export type TemplatePatch = Patch<Omit<NewTemplate, 'variants'>> & { readonly variants?: TranslationChanges | null | undefined };

/** Stores a template as version 1. Throws 422 `invalid_template`, and `limit_exceeded`. */
export async function createTemplate(ctx: Context, given: NewTemplate): Promise<Template> {
  checkAllSyntax(given);
  return withReferenceLock(ctx.projectId, (session) => insert(session, ctx, given, new Date()));
}

async function insert(
  session: ClientSession,
  ctx: Context,
  { name, type, tracking, topicId, ...content }: NewTemplate,
  now: Date,
): Promise<Template> {
  const { core, projectId } = ctx;
  await requireRoom(session, projectId, { what: 'templates', most: limitOf(core.config, ctx.project, 'templates'), of: TemplateModel });
  await checkTopic(session, projectId, { type, topicId });
  const template: Template = {
    _id: newId('tpl', now.getTime()),
    projectId: ctx.projectId,
    name,
    type,
    ...contentOf(content),
    ...(tracking && { tracking }),
    ...(topicId && { topicId }),
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  await TemplateModel.create([template], { session });
  await keepVersion(session, template);
  return template;
}

/** Throws 422 at `topicId`: a topic is for marketing mail, and the project has to have it. */
async function checkTopic(session: ClientSession, projectId: string, { type, topicId }: Pick<Template, 'type' | 'topicId'>): Promise<void> {
  if (!topicId) return;
  if (type !== 'marketing') throw invalid('topicId', 'invalid_combination', 'Only marketing templates have a topic');
  await lockReferences(session, projectId);
  await requireTopic(session, projectId, topicId);
}

async function keepVersion(session: ClientSession, template: Template): Promise<void> {
  const { _id: templateId, projectId, version, updatedAt } = template;
  const row: TemplateVersion = { _id: newId('tpv'), projectId, templateId, version, ...contentOf(template), createdAt: updatedAt };
  await TemplateVersionModel.create([row], { session });
}

const contentOf = ({ subject, body, fromName, fromEmail, variants, bodyBlocks }: TemplateContent): TemplateContent => ({
  subject,
  body,
  fromName,
  fromEmail,
  ...(variants && Object.keys(variants).length > 0 && { variants }),
  ...(bodyBlocks && { bodyBlocks }),
});

/** Resolves to a project's templates that match, newest first. */
export const listTemplates = ({ projectId }: Context, { type, search, archived }: TemplateFilter, page: PageRequest): Rows<Template> =>
  rowsOf(
    TemplateModel,
    newest<Template>({ projectId, ...(type && { type }), ...(search && { name: containing(search) }), ...archivedFilter(archived) }, page),
  );

/** Archives a template, or unarchives it. Throws `not_found`. */
export const setTemplateArchived = archiving(TemplateModel, { what: 'Template' });

/** Throws `not_found`. */
export const getTemplate = ({ projectId }: Context, _id: string, session?: ClientSession): Promise<Template> =>
  ownRow(TemplateModel, 'Template', { _id, projectId }, session);

/** Finds which of the ids are the project's, in one query, without their designs. */
export async function findTemplates(projectId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Template>> {
  const found = await TemplateModel.find({ _id: { $in: [...ids] }, projectId }, { bodyBlocks: 0 }).lean<Template[]>();
  return new Map(found.map((template) => [template._id, template]));
}

/** Finds which of the ids are the project's, each with the address that it sends from, without their contents. */
export async function templateSenders(
  session: ClientSession,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await TemplateModel.find({ _id: { $in: [...ids] }, projectId }, { fromEmail: 1 }, { session }).lean<
    Pick<Template, '_id' | 'fromEmail'>[]
  >();
  return new Map(found.map(({ _id, fromEmail }) => [_id, fromEmail]));
}

/**
 * Changes the given fields and keeps the rest. New content creates the next version; another name or type, or equal content, does not.
 * Concurrent changes build on each other: no number is used twice and no field is lost. Throws `not_found`, 422 `invalid_template`.
 */
export async function patchTemplate(ctx: Context, id: string, { variants, ...patch }: TemplatePatch): Promise<Template> {
  checkAllSyntax({ subject: patch.subject ?? '', body: patch.body ?? '', variants: withChanges(null, variants) });
  return oneVersion(id, async (session) => {
    const current = await getTemplate(ctx, id, session);
    return change(session, ctx, current, { ...patch, variants: changedVariants(current.variants, variants) });
  });
}

const oneVersion = <T>(id: string, work: (session: ClientSession) => Promise<T>): Promise<T> => inSequence(id, () => inTransaction(work));

async function change(
  session: ClientSession,
  ctx: Context,
  current: Template,
  patch: Patch<NewTemplate>,
  always = false,
): Promise<Template> {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  const next: Template = { ...current, ...(Object.fromEntries(given) as Partial<NewTemplate>) };
  const newContent = always || differs(current, next);
  if (!newContent && isSameBeside(current, next)) return current;
  if (newContent) checkAllSyntax(next);
  if (patch.topicId !== undefined || patch.type !== undefined) await checkTopic(session, ctx.projectId, next);
  const template = { ...next, version: current.version + (newContent ? 1 : 0), updatedAt: new Date() };
  await store(session, template, current.version);
  if (newContent) await keepVersion(session, template);
  return template;
}

async function store(session: ClientSession, template: Template, version: number): Promise<void> {
  const { _id, projectId, createdAt: _createdAt, topicId, variants: _variants, bodyBlocks: _bodyBlocks, ...fields } = template;
  const content = contentOf(template);
  const gone = {
    ...(!topicId && { topicId: '' }),
    ...(!content.variants && { variants: '' }),
    ...(!content.bodyBlocks && { bodyBlocks: '' }),
  };
  const update = {
    $set: { ...fields, ...content, ...(topicId && { topicId }) },
    ...(Object.keys(gone).length > 0 && { $unset: gone }),
  };
  await TemplateModel.updateOne({ _id, projectId, version }, update, { session });
}

const isSame = <T>(a: T | null | undefined, b: T | null | undefined): boolean => (a ?? null) === (b ?? null);

const isSameBeside = (a: Template, b: Template): boolean =>
  a.name === b.name &&
  a.type === b.type &&
  sameJson(a.tracking ?? null, b.tracking ?? null) &&
  isSame(a.topicId, b.topicId) &&
  sameJson(designsOf(a), designsOf(b));

/** Returns the designs: of the default, and of each language. */
const designsOf = ({ bodyBlocks = null, variants }: TemplateContent) => [
  bodyBlocks,
  Object.fromEntries(Object.entries(variants ?? {}).map(([language, variant]) => [language, variant.bodyBlocks ?? null])),
];

const withoutDesign = <T extends object>({ bodyBlocks: _, ...sent }: T & { readonly bodyBlocks?: unknown }) => sent;

/** Returns the members that are sent; the designs are not. */
const sentOf = ({ variants, ...content }: TemplateContent) => ({
  ...withoutDesign(content),
  variants: Object.fromEntries(Object.entries(variants ?? {}).map(([language, variant]) => [language, withoutDesign(variant)])),
});

const differs = (a: TemplateContent, b: TemplateContent): boolean => !sameJson(sentOf(contentOf(a)), sentOf(contentOf(b)));

/** Resolves to the versions of a template, newest first. Throws `not_found`. */
export async function listVersions(ctx: Context, id: string, request: PageRequest): Promise<Rows<TemplateVersion>> {
  await getTemplate(ctx, id);
  return rowsOf<TemplateVersion>(TemplateVersionModel, {
    request,
    sort: { version: -1 },
    filterAfter: (after) => ({ templateId: id, projectId: ctx.projectId, ...(after && { version: { $lt: Number(after.id) } }) }),
    positionOf: ({ version }) => positionAt(String(version)),
  });
}

/** Publishes the content of a stored version as the next version. Throws `not_found` for the template and for the version. */
export function rollBackTemplate(ctx: Context, id: string, version: number): Promise<Template> {
  return oneVersion(id, async (session) => {
    const current = await getTemplate(ctx, id, session);
    const kept = await TemplateVersionModel.findOne({ templateId: id, version, projectId: ctx.projectId }, null, {
      session,
    }).lean<TemplateVersion>();
    if (!kept) throw notFound('Version');
    return change(session, ctx, current, { bodyBlocks: null, variants: null, ...contentOf(kept) }, true);
  });
}

/** Copies the current content under the name with ` (copy)`, which is cut to fit. Throws `not_found`. */
export function duplicateTemplate(ctx: Context, id: string): Promise<Template> {
  return withReferenceLock(ctx.projectId, async (session) => {
    const original = await getTemplate(ctx, id, session);
    return insert(session, ctx, { ...original, name: copyName(original.name) }, new Date());
  });
}

/** Removes a template with all of its versions. Throws `not_found`, and `in_use` while an active automation sends it. */
export function deleteTemplate(ctx: Context, id: string): Promise<void> {
  return withReferenceLock(ctx.projectId, async (session) => {
    const { deletedCount } = await TemplateModel.deleteOne({ _id: id, projectId: ctx.projectId }, { session });
    if (deletedCount === 0) throw notFound('Template');
    await lockReferences(session, ctx.projectId);
    await refuseWhileSent(session, ctx.projectId, id);
    await TemplateVersionModel.deleteMany({ templateId: id, projectId: ctx.projectId }, { session });
  });
}

/** Applies changes by language to the variants of a content; null is none. Throws 422 at `variants` for more than a content may have. */
export function changedVariants(
  variants: Translations | null | undefined,
  changes: TranslationChanges | null | undefined,
): Translations | null {
  const changed = withChanges(variants, changes);
  const excess = excessOf(changed);
  if (excess !== null) throw invalid('variants', 'too_big', excess);
  return Object.keys(changed).length === 0 ? null : changed;
}
