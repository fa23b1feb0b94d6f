import type { Context, PageRequest } from '../../platform/core';
import { newestFirst } from '../../platform/mongo';
import type { Page } from '../../platform/mongo';
import { EmailModel } from './model';
import { INBOUND_INDEXES } from './indexes';
import type { Email } from './model';
import { toEmail } from './row';

export interface ReceivedFilter {
  /** The address as received: the local part keeps its case. */
  readonly to?: string | undefined;
  /** An address in its stored form. */
  readonly fromEmail?: string | undefined;
}

/** Resolves to a page of the mail that came in, newest first, without content. */
export async function listReceived(
  { projectId }: Pick<Context, 'projectId'>,
  { to, fromEmail }: ReceivedFilter,
  request: PageRequest,
): Promise<Page<Email>> {
  const filter = { projectId, source: 'inbound' as const, ...(to !== undefined && { to }), ...(fromEmail !== undefined && { fromEmail }) };
  const index = INBOUND_INDEXES[to !== undefined ? 'to' : fromEmail !== undefined ? 'fromEmail' : 'all'];
  const { rows, next } = await newestFirst(EmailModel, filter, request, { inline: 0, values: 0 }, index);
  return { rows: rows.map(toEmail), next };
}
