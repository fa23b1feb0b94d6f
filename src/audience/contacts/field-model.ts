import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';

/** Types of a custom field's value; a text that is an ISO date or date-time is a date. */
export const FIELD_TYPES = ['string', 'number', 'boolean', 'date', 'array', 'object'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** Number of contacts with a field, by type, as far as changes are summed up. */
export interface FieldCount extends Readonly<Partial<Record<FieldType, number>>> {
  /** `<projectId>/<field>` */
  readonly _id: string;
  readonly projectId: string;
  readonly field: string;
  /** No contact had the field when another one took its room. */
  readonly free?: boolean;
}

const number = { type: Number };

const fieldSchema = rowSchema<FieldCount>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  field: { type: String, required: true },
  free: { type: Boolean },
  string: number,
  number,
  boolean: number,
  date: number,
  array: number,
  object: number,
});
fieldSchema.index({ projectId: 1, field: 1 }); // a project's fields by name; one of them

export const FieldCountModel = model<FieldCount>('ContactField', fieldSchema, 'contact_fields');

/** One contact more (1) or less (-1), or several, that have a field with a value of that type. */
export interface FieldDelta {
  readonly field: string;
  readonly type: FieldType;
  readonly by: number;
}

/**
 * The effect of one transaction on a project's counts, until it is summed up. Writers add rows of their own and never conflict, as they
 * would in the counts themselves.
 */
export interface FieldChange {
  readonly _id: string;
  readonly projectId: string;
  readonly deltas: readonly FieldDelta[];
}

const changeSchema = rowSchema<FieldChange>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  deltas: { type: [Schema.Types.Mixed], required: true },
});
changeSchema.index({ projectId: 1, _id: 1 }); // what is to be summed up, project by project

export const FieldChangeModel = model<FieldChange>('ContactFieldChange', changeSchema, 'contact_field_changes');

/** When a project's fields were last counted again: of two recounts at once, one is dropped. */
interface FieldRecount {
  /** The project. */
  readonly _id: string;
  readonly at: Date;
}

const recountSchema = rowSchema<FieldRecount>({ _id: { type: String, required: true }, at: { type: Date, required: true } });

export const FieldRecountModel = model<FieldRecount>('ContactFieldRecount', recountSchema, 'contact_field_recounts');
