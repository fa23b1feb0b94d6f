import { z } from 'zod';
import { boundedArray, count, emailAddress, extended, idOrAddress, search, timestamp } from '../http/pieces';

export const SuppressionSource = z.enum(['smtp', 'dsn', 'arf', 'link', 'one_click', 'mailto', 'api', 'import', 'provider']);
const reason = z.enum(['hard_bounce', 'complaint', 'unsubscribe', 'manual']);

const note = z.string().min(1).max(500);
const OWN_NOTE = 'An extension of this implementation: a note for your own use';

export const Suppression = z
  .object({
    suppressionId: z.string(),
    projectId: z.string(),
    email: z.string().meta({ format: 'email' }),
    reason,
    source: SuppressionSource,
    note: extended(z.string().optional(), `${OWN_NOTE}, if one was written`),
    createdAt: timestamp,
  })
  .meta({ id: 'Suppression', description: '`unsubscribe` blocks marketing mail only, every other reason all mail' });

export const SuppressionState = z.object({ suppressed: z.boolean(), suppression: Suppression.nullable() }).meta({ id: 'SuppressionState' });

export const SuppressionQuery = z.object({ reason: reason.optional(), search: search.optional() });
export const SuppressionCheck = z.object({ email: emailAddress });
export const SuppressionParams = z.object({ id: idOrAddress });
export const CreateSuppression = z.strictObject({
  email: emailAddress,
  reason: reason.default('manual'),
  note: extended(note.optional(), OWN_NOTE),
});

export const UpdateSuppression = z.strictObject({
  note: note.nullable().meta({ description: 'A note for your own use; null removes it' }),
});

export const ImportSuppressions = z.strictObject({
  suppressions: boundedArray(CreateSuppression, 1, 1_000).meta({ description: 'If an address appears twice, the first entry wins' }),
});

export const ImportedSuppressions = z
  .object({
    added: count.meta({ description: 'Addresses that were suppressed, or blocked where they had only opted out' }),
    unchanged: count.meta({ description: 'Entries that changed nothing: suppressed before, or the same address again' }),
  })
  .meta({ id: 'ImportedSuppressions', description: 'The result of an import of suppressions' });
