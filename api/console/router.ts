import { Router } from 'express';
import type { Request, Response, Router as RouterType } from 'express';
import type { Core } from '../../src/platform/core';
import { unavailable, unauthorized } from '../http/errors';
import { stateOf } from '../http/state';
import { consoleFiles } from './files';
import express from 'express';
import { AppError } from '../../src/platform/core';
import { parsedBy, jsonReader } from '../http/body';
import { isOfOurPages, CONSOLE_HEADER, consoleHolder, cookieHolder, setCookie } from '../http/console-session';
import { messagePolicy } from './policy';
import { z } from 'zod';
import { csrfOf, signInByKey, signInByLink, signOut } from '../../src/records/console-sessions';
import type { SessionHolder, SignedIn } from '../../src/records/console-sessions';
import { recordChange } from '../../src/records/audit';
import { scopeOf } from '../../src/records/projects';
import { clientOfRequest } from '../http/client-of-request';

/** Returns the console under /console: its files, its sessions, and the frame that messages are shown in. What it shows it asks of the API, as any client does. */
export function consolePages(core: Core, ready: () => boolean): RouterType {
  const router = Router();
  const asked =
    (route: string, handle: (core: Core, req: Request, res: Response) => Promise<void>) => async (req: Request, res: Response) => {
      stateOf(res).route = `/console${route}`;
      res.set('Cache-Control', 'no-store');
      if (!ready()) throw unavailable('The database is not reachable yet; retry shortly');
      await handle(core, req, res);
    };
  router.get('/session', asked('/session', showSession));
  router.post('/session', asked('/session', signIn));
  router.delete('/session', asked('/session', endSession));
  router.post('/frame', asked('/frame', showFrame));
  const files = consoleFiles();
  router.use((req, res, next) => {
    stateOf(res).route = '/console';
    return files(req, res, next);
  });
  return router;
}

const Given = z.union([z.strictObject({ link: z.string().max(200) }), z.strictObject({ key: z.string().max(200) })]);

const readJson = jsonReader(2_048);

const NO_LINK = 'This link was already used or has expired. Ask for a new one: npm run admin -- console-link <projectId>';

const NO_KEY = 'This is not a valid secret or test key. Check the key, or use another one';

const ended = (): AppError => unauthorized('You are not signed in');

/** Refuses pages of other sites, which may neither begin a session nor see one. */
function requireOurPage({ config }: Core, req: Request): void {
  if (req.headers[CONSOLE_HEADER] === undefined || !isOfOurPages(config, req)) {
    throw new AppError('forbidden', 'Sign in and out only on the pages of the console');
  }
}

/** Returns where executions are seen in Temporal; null where no web UI is known. */
const temporalUrlOf = ({ TEMPORAL_UI_URL, TEMPORAL_NAMESPACE }: Core['config']): string | null =>
  TEMPORAL_UI_URL === undefined ? null : `${TEMPORAL_UI_URL}/namespaces/${encodeURIComponent(TEMPORAL_NAMESPACE)}/workflows`;

/** Returns where programs hand mail in. A server may listen on other ports than those that are published: without its settings here, they are the usual ones. */
const submissionOf = ({ PUBLIC_URL, SUBMISSION_HOST, SUBMISSION_PORT, SUBMISSION_TLS_PORT }: Core['config']) => {
  const isKnown = SUBMISSION_PORT !== undefined || SUBMISSION_TLS_PORT !== undefined;
  const [port, tlsPort] = isKnown ? [SUBMISSION_PORT ?? null, SUBMISSION_TLS_PORT ?? null] : [587, 465];
  return { host: SUBMISSION_HOST ?? new URL(PUBLIC_URL).hostname, port, tlsPort };
};

/** Returns what the console knows of the session that it works in. */
const viewOf = ({ secrets, config }: Core, { project, key, session, token }: SessionHolder) => ({
  success: true,
  data: {
    project: { id: project._id, name: project.name, plan: project.plan, disabled: project.disabledAt !== null },
    scope: scopeOf(key),
    testMode: session.kind === 'test',
    temporalUrl: temporalUrlOf(config),
    submission: submissionOf(config),
    expiresAt: session.expiresAt.toISOString(),
    csrf: csrfOf(secrets, token),
  },
});

/** Answers with the session of this browser. */
async function showSession(core: Core, req: Request, res: Response): Promise<void> {
  requireOurPage(core, req);
  const holder = await cookieHolder(core, req);
  if (!holder) throw ended();
  stateOf(res).projectId = holder.session.projectId;
  res.json(viewOf(core, holder));
}

/** Signs in by a link or a key. */
async function signIn(core: Core, req: Request, res: Response): Promise<void> {
  requireOurPage(core, req);
  const given = Given.safeParse(await readJson(req, res));
  if (!given.success) throw new AppError('validation_error', 'Give either a link or a key');
  const session = await signedIn(core, req, given.data);
  const { projectId, by, sessionId } = session;
  stateOf(res).projectId = projectId;
  const change = { projectId, by, action: 'console.sign-in', subject: sessionId };
  await recordChange(change, (error) => core.log.error({ err: error, ...change }, 'A sign-in is missing from the audit'));
  res.set('Set-Cookie', setCookie(core.config, session)).json({ success: true, data: { success: true } });
}

async function signedIn(core: Core, req: Request, given: z.output<typeof Given>): Promise<SignedIn> {
  const client = clientOfRequest(core, req);
  const session =
    'link' in given ? await signInByLink(core.secrets, client, given.link) : await signInByKey(core.secrets, client, given.key.trim());
  if (session === null || typeof session === 'string') throw unauthorized('link' in given ? NO_LINK : NO_KEY);
  return session;
}

/** Ends the session of this browser. */
async function endSession(core: Core, req: Request, res: Response): Promise<void> {
  requireOurPage(core, req);
  const holder = await consoleHolder(core, req);
  if (!holder) throw ended();
  await signOut(holder);
  res.set('Set-Cookie', setCookie(core.config, null)).json({ success: true, data: { success: true } });
}

/** Limit for the HTML of a message, as a form encodes it. */
const MOST_BYTES = 8 * 1_048_576;

const readForm = express.urlencoded({ extended: false, limit: MOST_BYTES, parameterLimit: 2 });

/**
 * Answers the HTML that it is given, as a document of its own that may do nothing. A frame of the console shows a message so: in a document written by the
 * page itself the page's own policy would hold, and the message would have lost its styles.
 */
async function showFrame({ config }: Core, req: Request, res: Response): Promise<void> {
  if (!isOfOurPages(config, req)) throw new AppError('forbidden', 'Messages are shown only within the console');
  await parsedBy(readForm, req, res);
  const { html, pictures } = (req.body ?? {}) as { readonly html?: unknown; readonly pictures?: unknown };
  messagePolicy(res, pictures === 'load');
  res.type('html').send(typeof html === 'string' ? html : '');
}
