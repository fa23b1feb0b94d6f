import { model, rowSchema } from '../mongo';

/** A workflow that is to run until its documents say that it is over; written with the documents that need it. */
export interface UnderWayRow {
  /** The workflow's id. */
  readonly _id: string;
  /** JSON text of the intent that starts it. */
  readonly intent: string;
  readonly since: Date;
  /** When the sweep checks whether it is over, and whether it runs. */
  readonly checkAt: Date;
}

const underWaySchema = rowSchema<UnderWayRow>({
  _id: { type: String, required: true },
  intent: { type: String, required: true },
  since: { type: Date, required: true },
  checkAt: { type: Date, required: true },
});
underWaySchema.index({ checkAt: 1 }); // the sweep: what was checked longest ago

export const UnderWayModel = model<UnderWayRow>('UnderWay', underWaySchema, 'processes_under_way');
