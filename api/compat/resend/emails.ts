import { AppError, notFound } from '../../../src/platform/core';
import type { Context, PageRequest, Position } from '../../../src/platform/core';
import { findCopies, findEmail, getEmail, listEmails } from '../../../src/records/emails';
import type { Email } from '../../../src/records/emails';
import type { Page } from '../../http/answers';
import { perform } from '../kit/operations';
import { membersOf } from '../kit/members';
import { sliceOf, wantedOf } from '../kit/slices';
import type { Foreign } from '../kit/declare';
import { absent, listOf, resend } from './declare';
import { instantText } from './times';
import { emailView, rowView } from './view';
import type { Group } from './view';

/** Finds a message that was sent, with its other copies where several people see it together. Throws `not_found`. */
export async function groupOf({ projectId }: Pick<Context, 'projectId'>, id: string): Promise<Group> {
  const email = await findEmail(projectId, id);
  if (!email || email.source === 'inbound') throw notFound('Email');
  const copies = (await findCopies(projectId, [email])).get(email.messageId) ?? [email];
  return { first: copies[0] ?? email, copies };
}

/** Resolves to the messages of a page, each once however many copies it has. */
async function groupsIn({ projectId }: Context, emails: readonly Email[]): Promise<readonly Group[]> {
  const sent = emails.filter(({ source }) => source !== 'inbound');
  const found = await findCopies(projectId, sent);
  return sent.flatMap((email) => {
    const copies = email.copied ? (found.get(email.messageId) ?? [email]) : [email];
    return copies[0]?._id === email._id ? [{ first: email, copies }] : [];
  });
}

/** Reads a page of the messages that were sent. */
export async function sentPage(ctx: Context, { limit, after }: PageRequest): Promise<Page<Group>> {
  const rows: Group[] = [];
  let next: Position | null = after;
  do {
    const page: Page<Email> = await listEmails(ctx, {}, { limit: limit - rows.length, after: next });
    rows.push(...(await groupsIn(ctx, page.rows)));
    ({ next } = page);
  } while (next !== null && rows.length < limit);
  return { rows, next };
}

const positionIn =
  ({ projectId }: Context) =>
  async (id: string): Promise<Position> => {
    const email = await findEmail(projectId, id);
    if (!email) throw notFound('Email');
    return { at: email.createdAt, id };
  };

async function list({ ctx, query }: Foreign) {
  const read = (page: PageRequest) => sentPage(ctx, page);
  const slice = await sliceOf({ read, idOf: ({ first }: Group) => first._id, positionOf: positionIn(ctx) }, wantedOf(query));
  return listOf(slice, rowView);
}

async function get({ ctx, params: { id = '' } }: Foreign) {
  const group = await groupOf(ctx, id);
  const bodies = ctx.readsContent === false ? null : (await getEmail(ctx, group.first._id)).bodies;
  return emailView(group, bodies);
}

/** Does the same with every copy of a message. Throws what all of them fail with, or `invalid_state` where only some do. */
async function withCopies(request: Foreign, work: (id: string) => Promise<unknown>) {
  const { first, copies } = await groupOf(request.ctx, request.params['id'] ?? '');
  const outcomes = await Promise.allSettled(copies.map(({ _id }) => work(_id)));
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  if (failures.length === copies.length) throw failures[0];
  if (failures.length > 0)
    throw new AppError(
      'invalid_state',
      `${failures.length} of the ${copies.length} copies of this message were on their way already; the others were changed`,
    );
  return { object: 'email', id: first._id };
}

export const emailRoutes = [
  resend('GET /emails', 'listEmails', list),
  resend('GET /emails/{id}', 'getEmail', get),
  resend('PATCH /emails/{id}', 'rescheduleEmail', (request) => {
    const { scheduled_at: scheduledAt } = membersOf(request.body);
    const body = { sendAt: instantText(scheduledAt, new Date()) };
    return withCopies(request, (id) => perform('rescheduleEmail', request, { params: { id }, body }));
  }),
  resend('POST /emails/{id}/cancel', 'cancelEmail', (request) =>
    withCopies(request, (id) => perform('cancelEmail', request, { params: { id } })),
  ),
  absent('GET /emails/metrics', 'GET /v1/stats counts messages.'),
  absent('POST /emails/{id}/share', 'The console shows a message to those who may see it.'),
  absent('GET /emails/{id}/attachments', 'GET /v1/emails/{id} lists the attachments of a message.'),
  absent('GET /emails/{id}/attachments/{attachmentId}', 'Attachments of sent messages are not served.'),
];
