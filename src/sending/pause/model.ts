import { model, rowSchema } from '../../platform/mongo';

/** A pause of sending for the whole installation, by an operator. The row exists as long as the pause lasts. */
export interface Pause {
  readonly _id: 'pause';
  readonly since: Date;
  /** In the operator's words. */
  readonly reason: string | null;
}

const pauseSchema = rowSchema<Pause>({
  _id: { type: String, required: true },
  since: { type: Date, required: true },
  reason: { type: String, default: null },
});
export const PauseModel = model<Pause>('SendingPause', pauseSchema, 'sending_pause');
