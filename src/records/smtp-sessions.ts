import type { Context, PageRequest } from '../platform/core';
import { newestFirst, model, rowSchema } from '../platform/mongo';
import type { Page } from '../platform/mongo';

/** Time for which sessions are kept. */
const KEPT_SECONDS = 30 * 86_400;

/** One connection over which a program has signed in to hand in mail. */
export interface SmtpSession {
  readonly _id: string;
  readonly projectId: string;
  readonly testMode: boolean;
  /** When the program connected. */
  readonly createdAt: Date;
  /** Null while it is open, and of one that was cut short with its process. */
  readonly endedAt: Date | null;
  /** The network of the program: of its address, a part is left out. */
  readonly network: string;
  /** The name that the program gave in EHLO. */
  readonly client: string;
  /** The version of TLS. */
  readonly tls: string;
  /** The beginning of the key. */
  readonly keyPrefix: string;
  /** Messages that were answered with 250. */
  readonly accepted: number;
  /** Commands and messages that were refused. */
  readonly refused: number;
  /** The newest e-mails that were stored. */
  readonly emailIds: readonly string[];
  /** The newest replies that refused something. */
  readonly refusals: readonly string[];
}

const sessionSchema = rowSchema<SmtpSession>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  testMode: { type: Boolean, required: true },
  createdAt: { type: Date, required: true },
  endedAt: { type: Date, default: null },
  network: { type: String, required: true },
  client: { type: String, default: '' },
  tls: { type: String, default: '' },
  keyPrefix: { type: String, required: true },
  accepted: { type: Number, required: true },
  refused: { type: Number, required: true },
  emailIds: { type: [String], required: true },
  refusals: { type: [String], required: true },
});
sessionSchema.index({ projectId: 1, createdAt: -1, _id: -1 }); // a project's sessions, newest first
sessionSchema.index({ createdAt: 1 }, { expireAfterSeconds: KEPT_SECONDS }); // the end of a session's row

export const SmtpSessionModel = model<SmtpSession>('SmtpSession', sessionSchema, 'smtp_sessions');

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
