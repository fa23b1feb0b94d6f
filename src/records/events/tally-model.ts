import { model, rowSchema } from '../../platform/mongo';

/** Count of a name, over the events that are counted in. */
export interface NameTally {
  /** `derivedId('evn', projectId, name)` */
  readonly _id: string;
  readonly projectId: string;
  readonly name: string;
  readonly count: number;
  readonly lastSeenAt: Date;
  /** Grows with each change, so that two changes of one row never pass each other unseen. */
  readonly changes: number;
}

const nameTallySchema = rowSchema<NameTally>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  name: { type: String, required: true },
  count: { type: Number, required: true },
  lastSeenAt: { type: Date, required: true },
  changes: { type: Number, required: true },
});
nameTallySchema.index({ projectId: 1, name: 1 }); // the names of a project

export const NameTallyModel = model<NameTally>('NameTally', nameTallySchema, 'event_names');

/** Up to which receipt all projects' events are counted in. */
export interface TallyMark {
  readonly _id: 'all';
  readonly upTo: Date;
}

const tallyMarkSchema = rowSchema<TallyMark>({ _id: { type: String, required: true }, upTo: { type: Date, required: true } });
export const TallyMarkModel = model<TallyMark>('TallyMark', tallyMarkSchema, 'event_tally');
