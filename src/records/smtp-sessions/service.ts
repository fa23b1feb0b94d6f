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

/** Filters of results: by whether something was accepted in a session, and something refused. */
const RESULTS = {
  accepted: { accepted: { $gt: 0 }, refused: 0 },
  partial: { accepted: { $gt: 0 }, refused: { $gt: 0 } },
  refused: { accepted: 0, refused: { $gt: 0 } },
  nothing: { accepted: 0, refused: 0 },
} as const;

/** Resolves to a page of the sessions of a project, newest first; only those that went in one way, if one is given. */
export const listSessions = (
  { projectId }: Context,
  { result }: { readonly result?: keyof typeof RESULTS | undefined },
  request: PageRequest,
): Promise<Page<SmtpSession>> => newestFirst(SmtpSessionModel, { projectId, ...(result && RESULTS[result]) }, request);
