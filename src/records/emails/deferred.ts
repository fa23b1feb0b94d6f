import { DEFERRED_INDEX } from './indexes';
import { EmailModel } from './model';
import type { Email } from './model';

type Waiting = Pick<Email, '_id' | 'projectId' | 'dueAt'>;

/** Finds messages that wait for another attempt, soonest first. Reads the index alone. */
export const findDeferred = (limit: number): Promise<readonly Waiting[]> =>
  EmailModel.collection
    .find<Waiting>(
      { status: 'queued', attempts: { $gt: 0 }, dueAt: { $gt: new Date(0) } },
      {
        ...{ hint: DEFERRED_INDEX, limit, sort: { dueAt: 1 } },
        projection: { _id: 1, projectId: 1, dueAt: 1 },
      },
    )
    .toArray();

/** Finds those of some messages that are under way with an attempt. */
export const findUnderWay = (projectIds: readonly string[], ids: readonly string[]): Promise<readonly Waiting[]> =>
  EmailModel.find({ _id: { $in: ids }, projectId: { $in: projectIds }, status: 'sending' }, { projectId: 1 }, { hint: '_id_' }).lean<
    Waiting[]
  >();
