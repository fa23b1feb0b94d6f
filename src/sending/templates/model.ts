import { Schema } from 'mongoose';
import { ARCHIVED_AT } from '../../platform/archive';
import type { Archivable } from '../../platform/archive';
import { model, rowSchema } from '../../platform/mongo';
import type { TrackingWish } from '../../contracts/tracking';
import type { Translations } from '../../rules/translations';

const TEMPLATE_TYPES = ['transactional', 'marketing'] as const;
export type TemplateType = (typeof TEMPLATE_TYPES)[number];

/** The content of a version. */
export interface TemplateContent {
  readonly subject: string;
  /** HTML. */
  readonly body: string;
  readonly fromName: string | null;
  readonly fromEmail: string;
  /** JSON text of the editor's design, stored as given; absent or null where there is none. */
  readonly bodyBlocks?: string | null | undefined;
  /** The content in other languages; absent or null where it has none. */
  readonly variants?: Translations | null | undefined;
}

/** Content that messages are sent from by its id. */
export interface Template extends TemplateContent, Archivable {
  readonly name: string;
  readonly type: TemplateType;
  /** Tracking of its messages, as far as it is set. */
  readonly tracking?: TrackingWish | null | undefined;
  /** The topic of its messages; absent if it has none, and for transactional templates. */
  readonly topicId?: string | null | undefined;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const content = {
  subject: { type: String, default: '' },
  body: { type: String, default: '' },
  fromName: { type: String, default: null },
  fromEmail: { type: String, required: true },
  bodyBlocks: { type: String },
  variants: { type: Schema.Types.Mixed },
} as const;

const templateSchema = rowSchema<Template>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  name: { type: String, required: true },
  type: { type: String, enum: TEMPLATE_TYPES, required: true },
  ...content,
  tracking: { type: Schema.Types.Mixed },
  topicId: { type: String },
  version: { type: Number, required: true },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
  archivedAt: ARCHIVED_AT,
});
templateSchema.index({ projectId: 1, createdAt: -1, _id: -1, archivedAt: 1 }); // list a project's templates, newest first
templateSchema.index({ projectId: 1, type: 1, createdAt: -1, _id: -1, archivedAt: 1 }); // the same, of one type
templateSchema.index({ projectId: 1, topicId: 1 }, { partialFilterExpression: { topicId: { $exists: true } } }); // what names a topic that is deleted

export const TemplateModel = model<Template>('Template', templateSchema, 'templates');

/** The content of a version of a template, the current one included. */
export interface TemplateVersion extends TemplateContent {
  readonly _id: string;
  readonly projectId: string;
  readonly templateId: string;
  readonly version: number;
  readonly createdAt: Date;
}

const versionSchema = rowSchema<TemplateVersion>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  templateId: { type: String, required: true },
  version: { type: Number, required: true },
  ...content,
  createdAt: { type: Date, required: true },
});
versionSchema.index({ templateId: 1, version: -1 }, { unique: true }); // a template's versions, newest first; a number is used once

export const TemplateVersionModel = model<TemplateVersion>('TemplateVersion', versionSchema, 'template_versions');
