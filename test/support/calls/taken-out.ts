interface Envelope {
  readonly data?: unknown;
  readonly nextCursor?: string | null;
}

/** Operations whose answer is no JSON. */
const RAW = new Set(['exportContacts', 'exportConsent', 'getDomainZone', 'getInboundAttachment']);

/** Operations whose answer is a list in a member, and no page. */
const UNPAGED = new Set(['listContactFieldValues', 'getContactTopics', 'changeContactTopics', 'readEventFeed']);

/** Returns what the method of a client resolves to, of an answer: a page, the payload, or the text. */
export function takenOut(operationId: string, answer: string): unknown {
  if (RAW.has(operationId)) return answer;
  const json = JSON.parse(answer) as Envelope;
  const payload = json.data ?? json;
  const rows = Array.isArray(payload) ? (payload as unknown[]) : (payload as Envelope).data;
  return Array.isArray(rows) && !UNPAGED.has(operationId) ? { rows, nextCursor: json.nextCursor ?? null } : payload;
}
