import type { Context } from '../context';
import { listEmails } from '../emails/service';
import type { Email } from '../emails/service';
import { eventsOfContact } from '../events/of-contacts';
import type { Event } from '../events/model';
import { mergedNewest } from '../mongo/page';
import type { Page } from '../mongo/page';
import type { PageRequest } from '../paging';
import { getContact } from './service';

export interface TimelineEntry {
  /** Of the event or of the e-mail. */
  readonly id: string;
  readonly kind: 'event' | 'email' | 'execution' | 'segment';
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly emailId: string | null;
  readonly workflowId: string | null;
  readonly createdAt: Date;
}

/**
 * What happened to a contact, newest first: its events, and one entry for each e-mail. Two lists in one order, merged; a cursor is a place in that
 * order and good for both. Throws `not_found`.
 */
export async function timeline(ctx: Context, which: string, request: PageRequest): Promise<Page<TimelineEntry>> {
  const { _id: contactId } = await getContact(ctx, which);
  const [events, emails] = await Promise.all([eventsOfContact(ctx, contactId, request), listEmails(ctx, { contactId }, request)]);
  return mergedNewest(
    [
      { ...events, rows: events.rows.map(ofEvent) },
      { ...emails, rows: emails.rows.map(ofEmail) },
    ],
    request.limit,
    ({ id, createdAt }) => ({ at: createdAt, id }),
  );
}

function ofEvent({ _id, name, data, emailId, createdAt }: Event): TimelineEntry {
  const workflowId = data?.['workflowId'];
  return {
    id: _id,
    kind: name.startsWith('segment.') ? 'segment' : name.startsWith('workflow.') ? 'execution' : 'event',
    name,
    data,
    emailId,
    workflowId: name.startsWith('workflow.') && typeof workflowId === 'string' ? workflowId : null,
    createdAt,
  };
}

const ofEmail = ({ _id, status, subject, source, testMode, workflowId, createdAt }: Email): TimelineEntry => ({
  id: _id,
  kind: 'email',
  name: `email.${status}`,
  data: { subject, status, source, ...(testMode && { testMode }) },
  emailId: _id,
  workflowId,
  createdAt,
});
