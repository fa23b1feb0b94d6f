import { z } from 'zod';
import type { Mailbox } from '../../src/platform/addresses';
import { orNull } from '../../src/platform/core';
import { bodyText, extended, id, instantAhead, personName, subject, trackingWish, variables } from '../http/pieces';
import { attachments } from './attachments';
import { customHeaders } from './headers';
import { MAILBOX, bcc, cc, mailbox, recipients } from './recipients';
import { tags } from './tags';

const given = (value: unknown, key: string): boolean => (value as Record<string, unknown>)[key] !== undefined;
/** A null is reported as a wrong type already. */
const excludes = (value: unknown, key: string): boolean => (value as Record<string, unknown>)[key] !== null && given(value, key);

/** Rules between fields are judged even when fields are wrong, so that all faults are reported at once. */
const between = (when: (body: object) => boolean, path: string, code: 'invalid_combination' | 'invalid_type', message: string) =>
  z.refine<object>((body) => !when(body), {
    path: [path],
    params: { code },
    error: message,
    when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
  });

const hasName = (mailbox: unknown): boolean => typeof mailbox === 'object' && mailbox !== null && (mailbox as Mailbox).name !== null;

const hasContent = (body: object): boolean => given(body, 'html') || given(body, 'text');

const fields = z
  .strictObject({
    to: recipients,
    cc: cc.optional(),
    bcc: bcc.optional(),
    subject: subject.optional().meta({ description: 'Placeholders allowed; required unless a template supplies one' }),
    html: bodyText.optional(),
    text: bodyText.optional(),
    templateId: id.optional().meta({ description: 'A stored template instead of html and text' }),
    variables: variables.optional(),
    from: mailbox
      .optional()
      .meta({ description: `${MAILBOX.description}. Default: the template's, else hello@ the first verified domain`, 'x-extension': true }),
    fromName: personName.optional(),
    replyTo: mailbox.optional(),
    headers: customHeaders.optional(),
    attachments: attachments.optional(),
    sendAt: instantAhead(1_000).optional().meta({ description: '1 second to 365 days ahead' }),
    createContact: z.boolean().default(true),
    type: z.enum(['transactional', 'marketing']).optional(),
    tags: tags.optional(),
    tracking: extended(
      trackingWish.optional(),
      "An extension of this implementation: what is followed of this message. Default: the template's, then the project's for its type, then both",
    ),
    retainContent: z.boolean().default(true).meta({
      description:
        'An extension of this implementation. `false`: subject, bodies, values, headers and attachments are not kept once the message is delivered, or has failed or was cancelled',
      'x-extension': true,
    }),
  })
  .check(
    between((body) => !hasContent(body) && !given(body, 'templateId'), 'html', 'invalid_combination', 'Give html, text or templateId'),
    between((body) => hasContent(body) && excludes(body, 'templateId'), 'templateId', 'invalid_combination', 'Excludes html and text'),
    between(
      (body) => !given(body, 'subject') && !given(body, 'templateId'),
      'subject',
      'invalid_type',
      'Required unless a template supplies one',
    ),
    between(
      (body) => hasName((body as { readonly from?: unknown }).from) && excludes(body, 'fromName'),
      'fromName',
      'invalid_combination',
      'Excludes a name in from',
    ),
  );

type Fields = z.output<typeof fields>;

/** Fills in every member, so that the core need not check for missing ones. */
const toMessage = (given: Fields) => ({
  to: given.to.list,
  cc: orNull(given.cc),
  bcc: orNull(given.bcc),
  toMany: given.to.many,
  subject: orNull(given.subject),
  html: orNull(given.html),
  text: orNull(given.text),
  templateId: orNull(given.templateId),
  variables: given.variables ?? {},
  from: orNull(given.from?.email),
  fromName: orNull(given.fromName ?? given.from?.name),
  replyTo: orNull(given.replyTo?.email),
  replyToName: orNull(given.replyTo?.name),
  headers: orNull(given.headers),
  attachments: given.attachments ?? [],
  sendAt: orNull(given.sendAt),
  createContact: given.createContact,
  type: orNull(given.type),
  retainContent: given.retainContent,
  tags: orNull(given.tags),
  tracking: orNull(given.tracking),
});

export const SendMessage = fields.transform(toMessage).meta({ id: 'Message' });
