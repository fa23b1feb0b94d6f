import type { RequestHandler, Response } from 'express';
import { hostNameOf, isOwnHost } from '../../src/platform/addresses';
import { withinLimit } from '../../src/platform/async';
import { ANSWER_MS, notFound, withinRequest } from '../../src/platform/core';
import type { Core } from '../../src/platform/core';
import { findFacts } from '../../src/records/emails';
import { projectTrackedAt } from '../../src/sending/domains';
import { stateOf } from '../http/state';
import { noSuchLink } from './links';

const LINKS = /^\/[tupvi]\//;

/** The longest that a reader of a link waits for us to find out whose host, or whose message, it is: a redirect works without the database. */
const PATIENCE_MS = 300;

const soon = <T>(work: () => Promise<T>, otherwise: T, patienceMs: number): Promise<T> =>
  withinLimit(patienceMs, () => withinRequest({ deadline: performance.now() + ANSWER_MS, signal: null }, work)).catch(() => otherwise);

/** Limits the host names of tracking links to those links and the pictures of mail: anything else served there would appear under the customer's name. */
export function onTrackingHosts({ config }: Pick<Core, 'config'>, ready: () => boolean): RequestHandler {
  return async (req, res, next) => {
    const { host } = req.headers;
    const name = hostNameOf(host);
    if (name === null || isOwnHost(host, config.PUBLIC_URL) || !ready()) return next();
    const isLink = LINKS.test(req.path);
    const projectId = await soon(() => projectTrackedAt(name), null, isLink ? PATIENCE_MS : ANSWER_MS);
    if (projectId !== null && !isLink) throw notFound('This page');
    stateOf(res).trackedProject = projectId;
    next();
  };
}

/** Throws `not_found` for another project's message at a project's tracking host; with `live`, also for a message of test mode. A link outlives its message. */
export async function requireOwnHost(res: Response, emailId: string, { live = false } = {}): Promise<void> {
  const { trackedProject } = stateOf(res);
  if (trackedProject === null) return;
  const email = await soon(async () => (await findFacts([emailId])).get(emailId), undefined, PATIENCE_MS);
  if (email && (email.projectId !== trackedProject || (live && email.testMode))) throw noSuchLink();
}
