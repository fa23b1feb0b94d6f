import type { ClientSession } from 'mongoose';
import { domainOf } from '../../platform/addresses';
import type { Context, ErrorDetail } from '../../platform/core';
import { sendersIn } from '../../sending/domains';
import { AppError } from '../../platform/core';
import { ContentCompiler, TemplateSyntaxError } from '../../message/template';
import { parsedUrl } from '../../rules/parsed-url';
import { EMPTY, checkGraph } from '../../rules/automation/check';
import type { Graph } from '../../rules/automation/graph';
import { references } from '../../rules/automation/references';
import type { References } from '../../rules/automation/references';
import { texts } from '../../rules/automation/texts';
import type { Text } from '../../rules/automation/texts';
import { findStaticSegment, segmentExists } from '../../audience/segments';
import { listTopics } from '../../audience/topics';
import { TOPIC_IS_FOR_MARKETING } from '../../sending/accept';
import { templateSenders } from '../../sending/templates';
import { yielder } from '../../platform/async';
import { urlFault } from '../../platform/http-client';

const fault = (path: string, message: string): ErrorDetail => ({ path, code: 'invalid_graph', message });

/** Finds all faults for which a graph cannot run now (docs/automations.md, Activating). Looks up its references in the transaction that activates it. */
export async function activationFaults(session: ClientSession, ctx: Context, graph: Graph): Promise<readonly ErrorDetail[]> {
  const referred = references(graph);
  const own = checkGraph(graph);
  const empty = new Set(own.flatMap(({ path, message }) => (message === EMPTY ? [path] : [])));
  const faults = [
    ...(await senderFaults(session, ctx, referred)),
    ...(await segmentFaults(session, ctx.projectId, referred)),
    ...(await topicFaults(session, ctx.projectId, referred)),
    ...(await textFaults(graph)),
    ...referred.urls.flatMap(({ url, path }) => callFaults(ctx, url, path)),
  ];
  return [...own, ...faults.filter(({ path }) => !empty.has(path))];
}

/** Throws 422 with all faults, if there are any. */
export function refuseFaults(faults: readonly ErrorDetail[]): void {
  if (faults.length > 0) throw new AppError('validation_error', 'The workflow has errors and cannot run', faults);
}

/** Finds missing templates and unverified senders. Test mail needs no verified sender. */
async function senderFaults(
  session: ClientSession,
  ctx: Context,
  { templateIds, fromEmails }: References,
): Promise<readonly ErrorDetail[]> {
  // Sequential: the first read of a transaction begins it, and must not run concurrently with another.
  const verified = ctx.testMode ? null : await sendersIn(session, ctx.projectId);
  const ids = templateIds.map(({ id }) => id);
  const senders = await templateSenders(session, ctx.projectId, ids);
  const unverified = (email: string): boolean => verified !== null && !verified.has(domainOf(email));
  return [
    ...templateIds.flatMap(({ id, path }) => {
      const sender = senders.get(id);
      if (sender === undefined) return [fault(path, 'This template does not exist')];
      return unverified(sender) ? [fault(path, `The domain that the template sends from is not verified`)] : [];
    }),
    ...fromEmails.filter(({ email }) => unverified(email)).map(({ path }) => fault(path, 'The domain is not verified in this project')),
  ];
}

async function segmentFaults(session: ClientSession, projectId: string, { segmentIds }: References): Promise<readonly ErrorDetail[]> {
  const judged = new Map<string, string | null>();
  for (const { id, member } of segmentIds) {
    const key = `${member} ${id}`;
    if (!judged.has(key)) judged.set(key, await segmentFault(session, projectId, id, member));
  }
  return segmentIds.flatMap(({ id, member, path }) => {
    const message = judged.get(`${member} ${id}`);
    return message ? [fault(path, message)] : [];
  });
}

async function topicFaults(
  session: ClientSession,
  projectId: string,
  { topicIds = [], topicKeys = [] }: References,
): Promise<readonly ErrorDetail[]> {
  if (topicIds.length + topicKeys.length === 0) return [];
  const topics = await listTopics({ projectId }, session);
  const ids = new Set(topics.map(({ _id }) => _id));
  const keys = new Set(topics.map(({ key }) => key));
  return [
    ...topicIds.filter(({ fits }) => !fits).map(({ path }) => fault(path, TOPIC_IS_FOR_MARKETING)),
    ...topicIds.filter(({ id, fits }) => fits && !ids.has(id)).map(({ path }) => fault(path, 'This topic does not exist')),
    ...topicKeys.filter(({ id }) => !keys.has(id)).map(({ path }) => fault(path, 'This topic does not exist')),
  ];
}

async function segmentFault(
  session: ClientSession,
  projectId: string,
  segmentId: string,
  member: 'asked' | 'changed',
): Promise<string | null> {
  if (member === 'asked') return (await segmentExists(projectId, segmentId, session)) ? null : 'This segment does not exist';
  try {
    await findStaticSegment(projectId, segmentId, session);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.message;
  }
}

/** Finds texts with placeholders that the renderer cannot parse. A graph may hold many, so this yields to other work. */
export async function textFaults(graph: Graph): Promise<readonly ErrorDetail[]> {
  const yieldWhenDue = yielder();
  // Many texts differ in their words alone, and what is around those is parsed once.
  const compiler = new ContentCompiler();
  const faults: ErrorDetail[] = [];
  for (const text of texts(graph)) {
    faults.push(...faultsOf(text, compiler));
    await yieldWhenDue();
  }
  return faults;
}

/** A text without any of these needs no parsing. */
const TO_BE_READ = /\{\{|\0/;

function faultsOf({ path, text }: Text, compiler: ContentCompiler): readonly ErrorDetail[] {
  if (!TO_BE_READ.test(text)) return [];
  try {
    compiler.compileForOne(path.endsWith('.body') ? { subject: '', html: text, text: null } : { subject: text, html: null, text: '' });
    return [];
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    return error.faults.map(({ line, column, message }) => ({
      path,
      code: 'invalid_template',
      message: `${message} (line ${line}, column ${column})`,
    }));
  }
}

/** Finds faults of a webhook's URL. The host is literal; placeholders may only follow it. */
function callFaults({ core: { config } }: Context, url: string, path: string): readonly ErrorDetail[] {
  const [origin = ''] = /^https?:\/\/[^/?#]+/i.exec(url) ?? [];
  const target = parsedUrl(origin);
  const message = target ? urlFault(target, config) : 'Not a URL';
  return message === null ? [] : [{ path, code: 'blocked_url', message }];
}
