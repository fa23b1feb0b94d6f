import type { Context, PageRequest } from '../../platform/core';
import { listEmails, maskTokens } from '../../records/emails';
import type { Email } from '../../records/emails';
import { eventsOfContact } from '../../records/events';
import type { Event } from '../../records/events';
import { mergedNewest } from '../../platform/mongo';
import type { Page } from '../../platform/mongo';
import type { ContactNote } from './notes';
import { notesOf } from './notes';
import { getContact } from './service';

/** Something that happened to a contact. */
export interface TimelineEntry {
  /** Id of the event or of the e-mail. */
  readonly id: string;
  readonly kind: 'event' | 'email' | 'execution' | 'segment';
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly emailId: string | null;
  readonly workflowId: string | null;
  readonly createdAt: Date;
}

/**
 * Resolves to the timeline of a contact, newest first: its events, one entry for each e-mail, and its notes. Three lists in one order,
 * merged; a cursor is a position in that order and valid for all. Throws `not_found`.
 */
export async function timeline(ctx: Context, which: string, request: PageRequest): Promise<Page<TimelineEntry>> {
  const { _id: contactId } = await getContact(ctx, which);
  const [events, emails, notes] = await Promise.all([
    eventsOfContact(ctx, contactId, request),
    listEmails(ctx, { contactId }, request),
    notesOf(ctx, contactId, request),
  ]);
  return mergedNewest(
    [
      { ...events, rows: events.rows.map(ofEvent) },
      { ...notes, rows: notes.rows.map(ofNote) },
      { ...emails, rows: emails.rows.map(ofEmail) },
    ],
    request.limit,
    ({ id, createdAt }) => ({ at: createdAt, id }),
  );
}

const ofNote = (note: ContactNote): TimelineEntry => ofEvent({ ...note, emailId: null });

type ListedEvent = Pick<Event, '_id' | 'name' | 'data' | 'emailId' | 'createdAt'>;

function ofEvent({ _id, name, data, emailId, createdAt }: ListedEvent): TimelineEntry {
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
  data: { subject: maskTokens(subject), status, source, ...(testMode && { testMode }) },
  emailId: _id,
  workflowId,
  createdAt,
});
