import { presenceModel } from '../../platform/leases';
import type { PresentRow } from '../../platform/leases';

/** A worker process that may have mail on the wire. */
export interface WorkerRow extends PresentRow {
  /** Runs pumps that are assigned to it by name; false while it stops. */
  readonly takesPumps: boolean;
}

export const WorkerModel = presenceModel<WorkerRow>('Worker', { takesPumps: { type: Boolean, required: true } }, 'workers');
