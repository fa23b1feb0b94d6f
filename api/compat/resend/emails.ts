import { AppError } from '../../../src/platform/core';
import type { PageRequest } from '../../../src/platform/core';
import { bodiesOf, groupOf, positionIn, sentPage } from '../kit/groups';
import type { Group } from '../kit/groups';
import { perform } from '../kit/operations';
import { membersOf } from '../kit/members';
import { sliceOf, wantedOf } from '../kit/slices';
import type { Foreign } from '../kit/declare';
import { absent, listOf, resend } from './declare';
import { instantText } from './times';
import { emailView, rowView } from './view';

async function list({ ctx, query }: Foreign) {
  const read = (page: PageRequest) => sentPage(ctx, {}, page);
  const slice = await sliceOf({ read, idOf: ({ first }: Group) => first._id, positionOf: positionIn(ctx) }, wantedOf(query));
  return listOf(slice, rowView);
}

async function get({ ctx, params: { id = '' } }: Foreign) {
  const group = await groupOf(ctx, id);
  return emailView(group, await bodiesOf(ctx, group));
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
  absent('POST /emails/{id}/share', 'View messages in the console.'),
  absent('GET /emails/{id}/attachments', 'GET /v1/emails/{id} lists the attachments of a message.'),
  absent('GET /emails/{id}/attachments/{attachmentId}', 'Attachments of sent messages are not served.'),
];
