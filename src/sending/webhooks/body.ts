import type { ContactShape } from '../../audience/contacts';
import type { EmailSummary } from '../../records/emails';
import type { Event } from '../../records/events';

/** The most bytes of a body, in any format. */
export const MAX_BYTES = 65_536;

interface Payload {
  readonly event: Pick<Event, '_id' | 'projectId' | 'name' | 'createdAt' | 'testMode' | 'data'>;
  readonly email: EmailSummary | null;
  readonly contact: ContactShape | null;
}

type Cut = readonly [member: string, cut: (payload: Payload) => Payload];

/** Members that are dropped from a body that is too large, one after another as needed (docs/webhooks.md, The request). */
const CUTS: readonly Cut[] = [
  ['data.contact.data', (payload) => (payload.contact ? { ...payload, contact: { ...payload.contact, data: null } } : payload)],
  ['data.email.headers', (payload) => (payload.email ? { ...payload, email: { ...payload.email, headers: null } } : payload)],
  ['data.email.attachments', (payload) => (payload.email ? { ...payload, email: { ...payload.email, attachments: [] } } : payload)],
  ['data', (payload) => ({ ...payload, event: { ...payload.event, data: null } })],
];

/** Writes the request body for an event: at most 64 KiB of JSON in UTF-8. */
export function bodyOf(whole: Payload): string {
  let payload = whole;
  let text = written(payload, []);
  const truncated: string[] = [];
  for (const [member, cut] of CUTS) {
    if (Buffer.byteLength(text) <= MAX_BYTES) break;
    const less = cut(payload);
    if (less === payload) continue;
    payload = less;
    truncated.push(member);
    text = written(payload, truncated);
  }
  return text;
}

function written({ event, email, contact }: Payload, truncated: readonly string[]): string {
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
