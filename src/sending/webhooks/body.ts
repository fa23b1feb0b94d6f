import type { ContactShape } from '../../audience/contacts';
import type { EmailSummary } from '../../records/emails';
import type { Event } from '../../records/events';

const MAX_BYTES = 65_536;

interface Told {
  readonly event: Pick<Event, '_id' | 'projectId' | 'name' | 'createdAt' | 'testMode' | 'data'>;
  readonly email: EmailSummary | null;
  readonly contact: ContactShape | null;
}

type Cut = readonly [member: string, cut: (told: Told) => Told];

/** What gives way when a body is too large, one after another, as far as it is needed (docs/webhooks.md, The request). */
const CUTS: readonly Cut[] = [
  ['data.contact.data', (told) => (told.contact ? { ...told, contact: { ...told.contact, data: null } } : told)],
  ['data.email.headers', (told) => (told.email ? { ...told, email: { ...told.email, headers: null } } : told)],
  ['data.email.attachments', (told) => (told.email ? { ...told, email: { ...told.email, attachments: [] } } : told)],
  ['data', (told) => ({ ...told, event: { ...told.event, data: null } })],
];

/** The text that an event is told by: at most 64 KiB of JSON in UTF-8. */
export function bodyOf(whole: Told): string {
  let told = whole;
  let text = written(told, []);
  const truncated: string[] = [];
  for (const [member, cut] of CUTS) {
    if (Buffer.byteLength(text) <= MAX_BYTES) break;
    const less = cut(told);
    if (less === told) continue;
    told = less;
    truncated.push(member);
    text = written(told, truncated);
  }
  return text;
}

function written({ event, email, contact }: Told, truncated: readonly string[]): string {
  const { _id, projectId, name, createdAt, testMode, data } = event;
  return JSON.stringify({
    id: _id,
    type: name,
    createdAt: createdAt.toISOString(),
    projectId,
    testMode,
    data: { ...data, ...(email && { email }), ...(contact && { contact }) },
    ...(truncated.length > 0 && { truncated }),
  });
}
