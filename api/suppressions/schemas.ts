import { z } from 'zod';
import { emailAddress, idOrAddress, search, timestamp } from '../http/pieces';

export const SuppressionSource = z.enum(['smtp', 'dsn', 'arf', 'link', 'one_click', 'mailto', 'api', 'import', 'provider']);
const reason = z.enum(['hard_bounce', 'complaint', 'unsubscribe', 'manual']);

export const Suppression = z
  .object({
    suppressionId: z.string(),
    projectId: z.string(),
    email: z.string().meta({ format: 'email' }),
    reason,
    source: SuppressionSource,
    createdAt: timestamp,
  })
  .meta({ id: 'Suppression', description: '`unsubscribe` blocks marketing mail only, every other reason all mail' });

export const SuppressionState = z.object({ suppressed: z.boolean(), suppression: Suppression.nullable() }).meta({ id: 'SuppressionState' });

export const SuppressionQuery = z.object({ reason: reason.optional(), search: search.optional() });
export const SuppressionCheck = z.object({ email: emailAddress });
export const SuppressionParams = z.object({ id: idOrAddress });
export const CreateSuppression = z.strictObject({ email: emailAddress, reason: reason.default('manual') });
