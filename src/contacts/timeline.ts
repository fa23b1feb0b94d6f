import type { Context } from '../context';
import { listEmails } from '../emails/service';
import type { Email } from '../emails/service';
import { eventsOfContact } from '../events/of-contacts';
import type { Event } from '../events/model';
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
  const merged = [...events.rows.map(ofEvent), ...emails.rows.map(ofEmail)].sort(newerFirst);
  const rows = merged.slice(0, request.limit);
  const last = rows.at(-1);
  const more = merged.length > request.limit || events.next !== null || emails.next !== null;
  return { rows, next: more && last ? { at: last.createdAt, id: last.id } : null };
}

/** As the database compares: instants, then ids by their bytes. */
const newerFirst = (a: TimelineEntry, b: TimelineEntry): number => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1);

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
