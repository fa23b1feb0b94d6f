import type { QueryFilter } from 'mongoose';
import type { Context, PageRequest } from '../../platform/core';
import type { Page } from '../../platform/mongo';
import { containing, containingAddress } from '../../platform/mongo';
import { membersAmong, requireSegment, someMembers } from '../segments';
import { pageOfContacts } from '../contacts';
import type { Contact } from '../contacts';

export interface ContactFilter {
  /** Part of the address, the first or the last name, in any case. */
  readonly search?: string | undefined;
  readonly subscribed?: boolean | undefined;
  /** Members of a segment. */
  readonly segmentId?: string | undefined;
  /** Absent: the newest first. */
  readonly order?: 'newest' | 'oldest' | undefined;
}

/** Limit for members that a query names; for a larger segment, every contact of the project is checked for membership. */
const NAMED_MEMBERS = 5_000;
const WALK_PAGE = 1_000;

/** Resolves to a page of the project's contacts, in the order of their creation. Throws 422 `not_found` for a segment that is not there. */
export async function listContacts(ctx: Context, filter: ContactFilter, request: PageRequest): Promise<Page<Contact>> {
  if (filter.segmentId !== undefined) await requireSegment(ctx.projectId, filter.segmentId);
  return contactsThat(ctx, filter, request);
}

/** Resolves to the same without checking that the segment exists: one that does not exist has no members. */
export async function contactsThat(
  ctx: Context,
  { search, subscribed, segmentId, order }: ContactFilter,
  request: PageRequest,
): Promise<Page<Contact>> {
  const { projectId } = ctx;
  const direction = order === 'oldest' ? 1 : -1;
  const filter: QueryFilter<Contact> = {
    projectId,
    ...(subscribed !== undefined && { subscribed }),
    ...(search && { $or: [{ email: containingAddress(search) }, { firstName: containing(search) }, { lastName: containing(search) }] }),
  };
  if (segmentId === undefined) return pageOfContacts(filter, request, direction);
  const named = await someMembers(projectId, segmentId, NAMED_MEMBERS + 1);
  if (named.length === 0) return { rows: [], next: null };
  if (named.length > NAMED_MEMBERS) return walkMembers({ projectId, segmentId, direction }, filter, request);
  return pageOfContacts({ ...filter, _id: { $in: [...named] } }, request, direction);
}

interface Walk {
  readonly projectId: string;
  readonly segmentId: string;
  readonly direction: 1 | -1;
}

async function walkMembers(
  { projectId, segmentId, direction }: Walk,
  filter: QueryFilter<Contact>,
  { limit, after }: PageRequest,
): Promise<Page<Contact>> {
  const found: Contact[] = [];
  let from = after;
  do {
    const { rows, next } = await pageOfContacts(filter, { limit: WALK_PAGE, after: from }, direction, { _id: 1, createdAt: 1 });
    const members = await membersAmong(
      projectId,
      segmentId,
      rows.map(({ _id }) => _id),
    );
    found.push(...rows.filter(({ _id }) => members.has(_id)));
    from = next;
  } while (from !== null && found.length <= limit);
  const ids = found.slice(0, limit).map(({ _id }) => _id);
  const last = found[limit - 1];
  const { rows } = await pageOfContacts({ projectId, _id: { $in: ids } }, { limit, after: null }, direction);
  return { rows, next: found.length > limit && last ? { at: last.createdAt, id: last._id } : null };
}
