import type { z } from 'zod';
import { invalid } from '../../../src/platform/core';
import type { Position } from '../../../src/platform/core';
import { emailSummary } from '../../../src/records/emails';
import type { Email } from '../../../src/records/emails';
import type { EmailQuery } from '../../emails/schemas';
import { checked } from '../kit/operations';
import type { Foreign } from '../kit/declare';
import { bodiesOf, groupOf, sentPage } from '../kit/groups';
import type { Group } from '../kit/groups';
import type { Members } from '../kit/members';
import { absent, postmark } from './declare';
import { TAG } from './message';

type Filter = z.output<typeof EmailQuery>;

const person = (address: string, name: string | null) => ({ Email: address, Name: name ?? '' });

const WAITS: ReadonlySet<string> = new Set(['queued', 'sending']);

const trackingView = ({ untracked = [] }: Email) => ({
  TrackOpens: !untracked.includes('opens'),
  TrackLinks: untracked.includes('clicks') ? 'None' : 'HtmlOnly',
});

function recipientsView({ first: { copied, to, toName }, copies }: Group) {
  const named = (as: 'to' | 'cc') => (copied?.[as] ?? []).map(({ address, name }) => person(address, name));
  return {
    To: copied ? named('to') : [person(to, toName)],
    Cc: named('cc'),
    Bcc: copies.filter((copy) => copy.copied?.as === 'bcc').map((copy) => person(copy.to, copy.toName)),
    Recipients: copies.map((copy) => copy.to),
  };
}

function rowView(group: Group) {
  const { first, copies } = group;
  const tags = emailSummary(first).tags ?? [];
  return {
    MessageID: first._id,
    Tag: tags.find(({ name }) => name === TAG)?.value ?? '',
    MessageStream: first.type === 'marketing' ? 'broadcast' : 'outbound',
    ...recipientsView(group),
    ReceivedAt: first.createdAt.toISOString(),
    From: first.fromName === null ? first.fromEmail : `"${first.fromName}" <${first.fromEmail}>`,
    Subject: emailSummary(first).subject,
    Attachments: first.attachments.map(({ filename }) => filename),
    Status: copies.every(({ status }) => WAITS.has(status)) ? 'Queued' : 'Sent',
    ...trackingView(first),
    Metadata: Object.fromEntries(tags.filter(({ name }) => name !== TAG).map(({ name, value }) => [name, value])),
    Sandboxed: first.testMode,
  };
}

/** Names of what happened to a copy, by the member that says when. */
const INSTANTS = [
  ['sentAt', 'Sent'],
  ['deliveredAt', 'Delivered'],
  ['openedAt', 'Opened'],
  ['clickedAt', 'LinkClicked'],
] as const satisfies readonly (readonly [keyof Email, string])[];

/** Lists what happened to a copy, the last first. */
function happenings(copy: Email) {
  const happened = INSTANTS.flatMap(([member, type]) => {
    const at = copy[member];
    return at ? [{ Recipient: copy.to, Type: type, ReceivedAt: at.toISOString(), Details: {} }] : [];
  });
  const { status, error, sentAt, createdAt } = copy;
  const bounced = {
    Recipient: copy.to,
    Type: 'Bounced',
    ReceivedAt: (sentAt ?? createdAt).toISOString(),
    Details: { Summary: error ?? '' },
  };
  return [...(status === 'bounced' ? [bounced] : []), ...happened.reverse()];
}

async function details({ ctx, params: { id = '' } }: Foreign) {
  const group = await groupOf(ctx, id);
  const bodies = await bodiesOf(ctx, group);
  return {
    ...rowView(group),
    TextBody: bodies?.text ?? '',
    HtmlBody: bodies?.html ?? '',
    Body: '',
    MessageEvents: group.copies.flatMap(happenings),
  };
}

const MOST_ROWS = 500;
/** Postmark's bound of count and offset together. */
const MOST_READ = 10_000;

const OLDER = 'count and offset are at most 10,000 together. Ask for older messages by fromdate and todate';

const wholeNumber = (value: unknown, name: string, most: number): number => {
  const number = value === undefined ? Number.NaN : Number(value);
  if (!Number.isInteger(number) || number < 0) throw invalid(name, 'invalid_type', 'Must be a whole number');
  if (number > most) throw invalid(name, 'too_big', `At most ${most}${name === 'offset' ? `: ${OLDER}` : ''}`);
  return number;
};

/** Filters of `/v1`, by Postmark's names in lower case. */
const FILTERS: Readonly<Record<string, (value: string) => Members>> = {
  recipient: (to) => ({ to }),
  tag: (tag) => ({ tag: `${TAG}:${tag}` }),
  fromdate: (from) => ({ from: instantOf(from) }),
  todate: (until) => ({ until: instantOf(until) }),
  messagestream: () => ({}),
  status: (status) => {
    if (status !== 'queued') throw invalid('status', 'invalid_enum_value', 'Must be queued');
    return { status };
  },
};

// Days are whole days there.
const instantOf = (text: string): string => (/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);

function filterOf(request: Foreign, query: ReadonlyMap<string, unknown>): Filter {
  const asked = [...query].flatMap(([name, value]) => {
    if (name === 'count' || name === 'offset') return [];
    const of = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
    if (!of) throw invalid(name, 'unrecognized_keys', 'This filter is not supported here');
    return [of(String(value))];
  });
  return checked('listEmails', request, { query: Object.assign({}, ...asked) as Members }).query as Filter;
}

/** Answers with a part of a list. `TotalCount` is exact at the end of the list; before, it says that there is more: the list is not counted. */
async function list(request: Foreign) {
  const query = new Map(Object.entries(request.query).map(([name, value]) => [name.toLowerCase(), value]));
  const count = wholeNumber(query.get('count'), 'count', MOST_ROWS);
  const offset = wholeNumber(query.get('offset') ?? 0, 'offset', MOST_READ - count);
  const filter = filterOf(request, query);
  const shown: Group[] = [];
  let read = 0;
  let next: Position | null = null;
  do {
    const page: Awaited<ReturnType<typeof sentPage>> = await sentPage(request.ctx, filter, { limit: MOST_ROWS, after: next });
    shown.push(...page.rows.slice(Math.max(0, offset - read), Math.max(0, offset + count - read)));
    read += page.rows.length;
    ({ next } = page);
  } while (next !== null && read < offset + count);
  return { TotalCount: next === null ? read : read + 1, Messages: shown.map(rowView) };
}

export const messageRoutes = [
  postmark('GET /messages/outbound', 'listEmails', list),
  postmark('GET /messages/outbound/{id}/details', 'getEmail', details),
  absent('GET /messages/outbound/{id}/dump', 'The source of a message is not kept.'),
  absent('GET /messages/outbound/opens', 'GET /v1/events?name=email.opened lists opens.'),
  absent('GET /messages/outbound/clicks', 'GET /v1/events?name=email.clicked lists clicks.'),
  absent('GET /messages/inbound', 'GET /v1/inbound lists received mail.'),
  absent('POST /email/bulk', 'POST /v1/send/batch takes 1,000 messages; campaigns take more.'),
  absent('GET /bounces', 'GET /v1/emails?status=bounced lists bounces.'),
  absent('GET /deliveryStats', 'GET /v1/stats counts messages.'),
  absent('GET /stats/outbound', 'GET /v1/stats counts messages.'),
  absent('GET /templates', 'GET /v1/templates lists templates.'),
  absent('POST /templates/', 'POST /v1/templates creates a template.'),
  absent('GET /templates/{id}', 'GET /v1/templates/{id} shows a template.'),
  absent('PUT /templates/{id}', 'PATCH /v1/templates/{id} changes a template.'),
  absent('DELETE /templates/{id}', 'DELETE /v1/templates/{id} removes a template.'),
  absent('GET /server', 'GET /v1/settings shows the settings of the project.'),
  absent('GET /webhooks', 'GET /v1/webhooks lists endpoints.'),
  absent('POST /webhooks', 'POST /v1/webhooks registers an endpoint.'),
];
