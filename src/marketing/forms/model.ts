import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';
import { CONFIRM_BY } from '../../sending/opt-in';
import type { ConfirmBy } from '../../sending/opt-in';

export const FIELD_TYPES = ['text', 'number', 'boolean', 'date'] as const;
type FieldType = (typeof FIELD_TYPES)[number];

/** A question in addition to the address. */
export interface FormField {
  /** `firstName` and `lastName` are the contact's own, every other one is a custom field. */
  readonly key: string;
  readonly label: string;
  readonly required: boolean;
  readonly type: FieldType;
}

/** The questions and settings of a form. */
export interface FormContent {
  readonly name: string;
  readonly fields: readonly FormField[];
  /** Everyone who signs up joins them. */
  readonly topics: readonly string[];
  readonly doubleOptIn: boolean;
  /** The confirmation; null for the platform's own. */
  readonly templateId: string | null;
  readonly confirm: ConfirmBy;
  readonly redirectUrl: string | null;
  readonly consentText: string;
  readonly privacyUrl: string | null;
  readonly proofOfWork: boolean;
}

export interface Form extends FormContent {
  readonly _id: string;
  readonly projectId: string;
  readonly state: 'open' | 'held';
  readonly heldReason: 'burst' | 'manual' | null;
  readonly heldAt: Date | null;
  /** The number of times it was opened again: each starts the count of the hour from zero. */
  readonly openings: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const REFUSALS = ['honeypot', 'tooFast', 'proofOfWork', 'rateLimited', 'suppressed', 'disposable', 'invalid', 'held'] as const;
export type FormRefusal = (typeof REFUSALS)[number];

/** The figures of a form since it was created. A count that is zero may be absent. */
export interface FormFigures {
  /** The form. */
  readonly _id: string;
  readonly projectId: string;
  readonly submitted?: number;
  readonly confirmed?: number;
  readonly refused?: Partial<Record<FormRefusal, number>>;
}

/** Sign-ups of one hour. */
export interface FormHour {
  /** `<form>/<hour>/<opening>` */
  readonly _id: string;
  readonly projectId: string;
  readonly formId: string;
  readonly hour: Date;
  readonly count: number;
}

const text = { type: String, default: null };

const formSchema = rowSchema<Form>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  name: { type: String, required: true },
  fields: { type: Schema.Types.Mixed, required: true },
  topics: { type: [String], required: true },
  doubleOptIn: { type: Boolean, required: true },
  templateId: text,
  confirm: { type: String, enum: CONFIRM_BY, required: true },
  redirectUrl: text,
  consentText: { type: String, required: true },
  privacyUrl: text,
  proofOfWork: { type: Boolean, required: true },
  state: { type: String, enum: ['open', 'held'], required: true },
  heldReason: text,
  heldAt: { type: Date, default: null },
  openings: { type: Number, required: true },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
});
formSchema.index({ projectId: 1, createdAt: -1, _id: -1 }); // list a project's forms, newest first; what names a topic or a template

const figuresSchema = rowSchema<FormFigures>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  submitted: Number,
  confirmed: Number,
  refused: { type: Schema.Types.Mixed },
});
figuresSchema.index({ projectId: 1 }); // removal of a project

const KEPT_SECONDS = 8 * 86_400;

const hourSchema = rowSchema<FormHour>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  formId: { type: String, required: true },
  hour: { type: Date, required: true },
  count: { type: Number, required: true },
});
hourSchema.index({ projectId: 1, formId: 1, hour: 1 }); // what is usual for a form
hourSchema.index({ hour: 1 }, { expireAfterSeconds: KEPT_SECONDS }); // an hour that says nothing any more

export const FormModel = model<Form>('Form', formSchema, 'forms');
export const FormFiguresModel = model<FormFigures>('FormFigures', figuresSchema, 'form_figures');
export const FormHourModel = model<FormHour>('FormHour', hourSchema, 'form_hours');
