import type { z } from 'zod';
import { listAudit } from '../../src/records/audit';
import type { AuditEntry as Entry } from '../../src/records/audit';
import { paged } from '../http/answers';
import { extensions, listEndpoint } from '../http/endpoint';
import { AuditEntry, AuditQuery } from './schemas';

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
