import type { Context, PageRequest } from '../../platform/core';
import { newestFirst } from '../../platform/mongo';
import type { Page } from '../../platform/mongo';
import { SmtpSessionModel } from './model';
import type { SmtpSession } from './model';

export type { SmtpSession } from './model';

/** Stores a session as it is now. */
export async function keepSession(session: SmtpSession): Promise<void> {
  const { _id, projectId } = session;
  await SmtpSessionModel.collection.replaceOne({ _id, projectId }, session, { upsert: true });
}

/** Resolves to a page of the sessions of a project, newest first. */
export const listSessions = ({ projectId }: Context, request: PageRequest): Promise<Page<SmtpSession>> =>
  newestFirst(SmtpSessionModel, { projectId }, request);
