import type { ClientSession } from 'mongoose';
import { AppError } from '../../platform/core';
import { lockReferences } from './listeners';

/** The rows of a model, for counting a project's. */
interface Rows {
  countDocuments(of: { readonly projectId: string }): { session(session: ClientSession): PromiseLike<number> };
}

/** The most of something that a project may have. */
interface Maximum {
  readonly what: string;
  readonly most: number;
  /** The rows of a model, of which the project's are counted, or the count of something else. */
  readonly of: Rows | ((session: ClientSession) => Promise<number>);
  /** Number of added objects; default 1. */
  readonly adding?: number;
}

/** Throws `limit_exceeded` when a project would have more than it may. Exact: of two that would add at the same time, one is repeated and counts again. */
export async function requireRoom(session: ClientSession, projectId: string, { what, most, of, adding = 1 }: Maximum): Promise<void> {
  await lockReferences(session, projectId);
  const count = 'countDocuments' in of ? await of.countDocuments({ projectId }).session(session) : await of(session);
  if (count + adding > most) throw new AppError('limit_exceeded', `A project has at most ${most} ${what}`);
}
