import type { ClientSession } from 'mongoose';
import { conflict, limitOf, notFound, AppError } from '../../platform/core';
import type { Context, PageRequest, Rows } from '../../platform/core';
import { lockAllReferences, requireRoom, withReferenceLock } from '../../records/events';
import { databaseNow, inTransaction, isDuplicate, newest, rowsOf, ownRow } from '../../platform/mongo';
import { startNow, wantNow } from '../../platform/outbox';
import { minutesLeft, countWaitingFrom } from '../../records/emails';
import type { Email } from '../../records/emails';
import { bumpConfigVersion } from '../../records/projects';
import { adoptDevelopmentDomains } from './lookups';
import { DomainModel } from './model';
import type { Domain } from './model';
import { newDomain } from './row';
import { hook } from '../../platform/hooks';
import { domainVerificationId, checkAgainSignal } from '../../contracts/domain-verification';
import type { SignalIntent, StartIntent } from '../../contracts/processes';

export type { Domain } from './model';

/** Resolves to a project's domains, newest first. */
export async function listDomains({ core, projectId }: Context, page: PageRequest): Promise<Rows<Domain>> {
  await adoptDevelopmentDomains(core, projectId);
  return rowsOf(DomainModel, newest<Domain>({ projectId }, page));
}

/** Throws `not_found`. */
export const getDomain = ({ projectId }: Context, _id: string, session?: ClientSession): Promise<Domain> =>
  ownRow(DomainModel, 'Domain', { _id, projectId }, session);

/**
 * Adds a domain with a fresh DKIM key; its workflow checks it from now on. `domain` is in ASCII form. Throws `conflict` when the project has it, `limit_exceeded`.
 *
 * | killed            | found                                       | happens                               |
 * |-------------------|---------------------------------------------|---------------------------------------|
 * | before the commit | nothing                                     | the caller asks again                 |
 * | after it          | the domain, its workflow's start in the outbox | the sweep starts the workflow      |
 */
export async function createDomain({ core, project, projectId }: Context, domain: string): Promise<Domain> {
  await adoptDevelopmentDomains(core, projectId);
  const row = await newDomain(core, projectId, domain, await databaseNow());
  await withReferenceLock(projectId, async (session) => {
    await requireRoom(session, projectId, { what: 'domains', most: limitOf(core.config, project, 'domains'), of: DomainModel });
    await DomainModel.collection.insertOne(row, { session }).catch((error: unknown) => {
      throw isDuplicate(error) ? conflict('The project already has this domain') : error;
    });
    await wantNow(session, core, [verificationIntent(row)]);
  });
  return row;
}

/** Messages that are cancelled in one transaction at most. */
const AT_ONCE = 500;

interface Removal {
  /** Cancels the messages that wait to be sent from the domain. */
  readonly cancelsWaiting: boolean;
}

/**
 * Removes a domain with its key. Throws `not_found`, and `in_use` while a campaign or an automation sends from it, or a message waits to.
 *
 * | killed                       | found                              | happens                                          |
 * |------------------------------|------------------------------------|--------------------------------------------------|
 * | while messages are cancelled | some cancelled, the domain         | the caller asks again                            |
 * | after the domain is gone     | its workflow’s signal in the outbox | the sweep sends it; late mail fails at its attempt |
 */
export async function deleteDomain(ctx: Context, id: string, { cancelsWaiting }: Removal): Promise<void> {
  const { core, projectId } = ctx;
  const most = cancelsWaiting ? AT_ONCE : 0;
  if (cancelsWaiting) await cancelMost(ctx, await getDomain(ctx, id));
  const cancelled = await withReferenceLock(projectId, async (session) => {
    const row = await DomainModel.findOneAndDelete({ _id: id, projectId }, { session }).lean<Domain>();
    if (!row) throw notFound('Domain');
    await lockAllReferences(session, projectId);
    await refuseWhileUsed(session, projectId, row.domain);
    const ended = most > 0 ? await cancelWaiting.only(session, projectId, row.domain, most) : [];
    await refuseWhileWaiting(session, projectId, row.domain);
    await bumpConfigVersion(projectId, session);
    await wantNow(session, core, [goneIntent(id)]);
    return ended;
  });
  startNow(core, minutesLeft(cancelled));
}

/** Cancels what waits to be sent from a domain, but for what one transaction can. Throws `in_use`, with nothing done, when more than messages keeps the domain. */
async function cancelMost({ core, projectId }: Context, { domain }: Domain): Promise<void> {
  await inTransaction((session) => refuseWhileUsed(session, projectId, domain));
  for (let count = AT_ONCE; count === AT_ONCE;) {
    const cancelled = await inTransaction((session) => cancelWaiting.only(session, projectId, domain, AT_ONCE));
    startNow(core, minutesLeft(cancelled));
    count = cancelled.length;
  }
}

/** Names what of a room sends from a domain, or is about to, or null; the answer is named by the kind of thing that it is (“campaign”). */
export const domainUsers =
  hook<(session: ClientSession, projectId: string, domain: string) => Promise<string | null>>('what sends from a domain');

/** Cancels up to `most` messages that wait to be sent from a domain. Resolves to them. */
export const cancelWaiting = hook<(session: ClientSession, projectId: string, domain: string, most: number) => Promise<readonly Email[]>>(
  'how mail from a domain is cancelled',
);

/** Throws 409 `in_use` while something is about to send from the domain, or is sending. */
async function refuseWhileUsed(session: ClientSession, projectId: string, domain: string): Promise<void> {
  for (const [kind, ask] of domainUsers.named) {
    const name = await ask(session, projectId, domain);
    if (name !== null) throw new AppError('in_use', `The ${kind} “${name}” sends from this domain`);
  }
}

/** Throws 409 `in_use` while messages wait to be sent from the domain. */
async function refuseWhileWaiting(session: ClientSession, projectId: string, domain: string): Promise<void> {
  const waiting = await countWaitingFrom(session, projectId, domain);
  if (waiting === 0) return;
  const messages = waiting === 1 ? '1 message waits' : `${waiting} messages wait`;
  throw new AppError('in_use', `${messages} to be sent from this domain; to cancel what waits, add ?cancelWaiting=true`);
}

/** Returns the intent of the workflow that watches a domain. */
export const verificationIntent = ({ _id, projectId }: Pick<Domain, '_id' | 'projectId'>): StartIntent => ({
  kind: 'start',
  workflow: 'domainVerification',
  workflowId: domainVerificationId(_id),
  input: { domainId: _id, projectId },
  summary: 'Sending domain',
  attributes: { projectId, domainId: _id },
  again: true,
});

/** Returns the intent to check a domain again: a workflow that runs checks its domain at once, and one that is about to end continues. */
export const checkAgainIntent = (domain: Pick<Domain, '_id' | 'projectId'>): StartIntent => ({
  ...verificationIntent(domain),
  signal: checkAgainSignal.name,
});

/** Signals the workflow of a domain that was deleted. */
const goneIntent = (domainId: string): SignalIntent => ({
  kind: 'signal',
  workflowId: domainVerificationId(domainId),
  signal: checkAgainSignal.name,
  id: 'gone',
});
