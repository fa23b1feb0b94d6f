import { newId } from '../../platform/core';
import type { Context, PageRequest } from '../../platform/core';
import { newestFirst } from '../../platform/mongo';
import type { Page } from '../../platform/mongo';
import { SmtpSessionModel } from './model';
import type { SmtpSession } from './model';

export type { SmtpSession } from './model';

/** Stores a session that has ended. */
export async function recordSession(session: Omit<SmtpSession, '_id'>): Promise<void> {
  await SmtpSessionModel.collection.insertOne({ _id: newId('smtp', session.createdAt.getTime()), ...session });
}

/** Resolves to a page of the sessions of a project, newest first. */
export const listSessions = ({ projectId }: Context, request: PageRequest): Promise<Page<SmtpSession>> =>
  newestFirst(SmtpSessionModel, { projectId }, request);
