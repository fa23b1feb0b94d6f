import { listAudit } from '../../src/records/audit';
import type { AuditEntry as Entry } from '../../src/records/audit';
import { paged } from '../http/answers';
import { extensions, listEndpoint } from '../http/endpoint';
import { z } from 'zod';
import { because, instant, optionalText, oneLine, timestamp } from '../http/pieces';

const action = z
  .string()
  .regex(/^[a-z_-]{1,64}\.[a-z_-]{1,64}$/, because('invalid_string', 'Not an action, such as campaign.send'))
  .meta({ description: 'Only entries of this action, as `campaign.send`' });

const AuditQuery = z.object({
  by: oneLine(200, 1).optional().meta({ description: 'Only changes by this author, as in `by` of an entry' }),
  action: action.optional(),
  from: instant.optional().meta({ description: 'Made at or after this instant' }),
  until: instant.optional().meta({ description: 'Made before this instant' }),
});

const AuditEntry = z
  .object({
    entryId: z.string().meta({ description: 'The id of the entry' }),
    at: timestamp.meta({ description: 'When it was changed' }),
    by: z.string().meta({
      description:
        'Who changed it: `key` and the first characters of the key, `person` and the id of the member, `console` and the beginning of a session, `approval` and its id, `operator` and a name on the server, or `link`',
    }),
    action: z.string().meta({ description: 'The kind of object and what was done, as `webhook.update`' }),
    subject: optionalText.meta({ description: 'The id of the object; of a key, its first characters; null if a project has only one' }),
    reason: optionalText.meta({ description: 'The reason that the author gave, where an operation accepts one' }),
  })
  .meta({ id: 'AuditEntry', description: 'A change: who made it, when, and to what; never values' });

const toEntry = ({ _id, at, by, action, subject, reason }: Entry): z.input<typeof AuditEntry> => ({
  entryId: _id,
  at,
  by,
  action,
  subject,
  reason: reason ?? null,
});

export const auditExtensions = extensions('Extensions', [
  listEndpoint('GET /v1/audit', {
    operationId: 'listAudit',
    summary: 'List changes with their authors, newest first',
    description: 'Entries are kept for 400 days. Only owners, admins and keys with the scope `full` can read them.',
    access: 'managers',
    request: { query: AuditQuery },
    response: AuditEntry,
    list: 'cursor',
    handle: ({ ctx, query, page }) => paged(listAudit(ctx, query, page), toEntry),
  }),
]);
