import type { z } from 'zod';
import type { Suppression } from '../../src/records/suppressions';
import type { SuppressionState, Suppression as WireSuppression } from './schemas';

export const toSuppression = ({ _id, projectId, email, reason, source, createdAt }: Suppression): z.input<typeof WireSuppression> => ({
  suppressionId: _id,
  projectId,
  email,
  reason,
  source,
  createdAt: createdAt.toISOString(),
});

/** Says whether an address is suppressed, with the suppression if it is. */
export const toState = (suppression: Suppression | null): z.input<typeof SuppressionState> => ({
  suppressed: suppression !== null,
  suppression: suppression && toSuppression(suppression),
});
