import { notFound } from '../../../src/platform/core';
import type { Context, PageRequest, Position } from '../../../src/platform/core';
import { findCopies, findEmail, getEmail, listEmails } from '../../../src/records/emails';
import type { Bodies, Email } from '../../../src/records/emails';
import type { Page } from '../../http/answers';

/** A message: its copies, and the first of them, whose id is that of the message. */
export interface Group {
  readonly first: Email;
  readonly copies: readonly Email[];
}

type Filter = Parameters<typeof listEmails>[1];

/** Finds a message that was sent, with its other copies where several people see it together. Throws `not_found`. */
export async function groupOf({ projectId }: Pick<Context, 'projectId'>, id: string): Promise<Group> {
  const email = await findEmail(projectId, id);
  if (!email || email.source === 'inbound') throw notFound('Email');
  const copies = (await findCopies(projectId, [email])).get(email.messageId) ?? [email];
  return { first: copies[0] ?? email, copies };
}

/** Resolves to the bodies of a message; null where the key may not read them. */
export const bodiesOf = async (ctx: Context, { first }: Group): Promise<Bodies | null> =>
  ctx.readsContent === false ? null : (await getEmail(ctx, first._id)).bodies;

/** A message, and its copy that stands for it in a list. */
interface Listed {
  readonly row: Email;
  readonly group: Group;
}

/** Resolves to the messages of a page, each once however many copies it has: a list for one address has one copy of each. */
async function groupsIn({ projectId }: Context, { to }: Filter, emails: readonly Email[]): Promise<readonly Listed[]> {
  const sent = emails.filter(({ source }) => source !== 'inbound');
  const found = await findCopies(projectId, sent);
  return sent.flatMap((row) => {
    const copies = row.copied ? (found.get(row.messageId) ?? [row]) : [row];
    const first = copies[0] ?? row;
    return to !== undefined || first._id === row._id ? [{ row, group: { first, copies } }] : [];
  });
}

/** Reads a page of the messages that were sent. */
export async function sentPage(ctx: Context, filter: Filter, { limit, after }: PageRequest): Promise<Page<Group>> {
  const listed: Listed[] = [];
  let next: Position | null = after;
  do {
    const page: Page<Email> = await listEmails(ctx, filter, { limit, after: next });
    listed.push(...(await groupsIn(ctx, filter, page.rows)));
    ({ next } = page);
  } while (next !== null && listed.length < limit);
  const rows = listed.slice(0, limit);
  const last = rows.at(-1)?.row;
  const isCut = listed.length > limit && last !== undefined;
  return { rows: rows.map(({ group }) => group), next: isCut ? { at: last.createdAt, id: last._id } : next };
}

/** Returns what finds the position of a message in the list. */
export const positionIn =
  ({ projectId }: Context) =>
  async (id: string): Promise<Position> => {
    const email = await findEmail(projectId, id);
    if (!email) throw notFound('Email');
    return { at: email.createdAt, id };
  };
