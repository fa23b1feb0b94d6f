import { model, rowSchema } from '../../platform/mongo';

/** A project's own strings. */
export interface TranslationsRow {
  /** The project. */
  readonly _id: string;
  /** Counts its changes; the project's row has the same number. */
  readonly version: number;
  /** JSON text of the strings: keys may have dots. */
  readonly strings: string;
  readonly updatedAt: Date;
}

const translationsSchema = rowSchema<TranslationsRow>({
  _id: { type: String, required: true },
  version: { type: Number, required: true },
  strings: { type: String, required: true },
  updatedAt: { type: Date, required: true },
});
export const TranslationsModel = model<TranslationsRow>('Translations', translationsSchema, 'translations');
