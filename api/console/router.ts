import { Router } from 'express';
import type { Request, Response, Router as RouterType } from 'express';
import type { Core } from '../../src/platform/core';
import { unavailable, unauthorized } from '../http/errors';
import { stateOf } from '../http/state';
import { consoleFiles } from './files';
import express from 'express';
import { AppError, notFound } from '../../src/platform/core';
import { parsedBy, jsonReader } from '../http/body';
import { isOfOurPages, cookieHolder, requireOurPage, setCookie, waitingHolder } from '../http/console-session';
import { messagePolicy } from './policy';
import { FACTORS } from './factors';
import { begin, done, givenReader } from './kit';
import type { Route } from './kit';
import { OWN } from './own';
import { PASSKEY_SIGN_IN } from './passkey-sign-in';
import { SINGLE_SIGN_ON } from './single-sign-on';
import { providerSignOut } from '../../src/records/single-sign-on';
import { addressOf, mailSignIn, signedInBy } from './sign-in';
import { afterwards } from '../../src/platform/async';
import { z } from 'zod';
import { csrfOf, sessionIdOf, signOut, switchProject, takeMailAttempt } from '../../src/records/console-sessions';
import type { SessionHolder } from '../../src/records/console-sessions';
import { findPerson, projectsOf } from '../../src/records/members';
import { clientOfRequest } from '../http/client-of-request';

/** Returns the console under /console: its files, its sessions, and the frame that messages are shown in. What it shows it asks of the API, as any client does. */
export function consolePages(core: Core, ready: () => boolean): RouterType {
  const router = Router();
  for (const [method, path, handle] of [...SESSION, ...OWN, ...FACTORS, ...PASSKEY_SIGN_IN, ...SINGLE_SIGN_ON]) {
    router[method](path, async (req, res) => {
      stateOf(res).route = `/console${path}`;
      res.set('Cache-Control', 'no-store');
      if (!ready()) throw unavailable('The database is not reachable yet; retry shortly');
      await handle(core, req, res);
    });
  }
  const files = consoleFiles();
  router.use((req, res, next) => {
    stateOf(res).route = '/console';
    return files(req, res, next);
  });
  return router;
}

const REQUEST_BYTES = 2_048;
const readJson = jsonReader(REQUEST_BYTES);
const bodyOf = givenReader(REQUEST_BYTES);

const ended = (): AppError => unauthorized('You are not signed in');

/** Returns where executions are seen in Temporal; null where no web UI is known. */
const temporalUrlOf = ({ TEMPORAL_UI_URL, TEMPORAL_NAMESPACE }: Core['config']): string | null =>
  TEMPORAL_UI_URL === undefined ? null : `${TEMPORAL_UI_URL}/namespaces/${encodeURIComponent(TEMPORAL_NAMESPACE)}/workflows`;

/** Returns where programs hand mail in. A server may listen on other ports than those that are published: without its settings here, they are the usual ones. */
const submissionOf = ({ PUBLIC_URL, SUBMISSION_HOST, SUBMISSION_PORT, SUBMISSION_TLS_PORT }: Core['config']) => {
  const isKnown = SUBMISSION_PORT !== undefined || SUBMISSION_TLS_PORT !== undefined;
  const [port, tlsPort] = isKnown ? [SUBMISSION_PORT ?? null, SUBMISSION_TLS_PORT ?? null] : [587, 465];
  return { host: SUBMISSION_HOST ?? new URL(PUBLIC_URL).hostname, port, tlsPort };
};

/** Resolves to who is signed in, with the projects to switch to; null for a session of no person. */
async function personOf({ session: { personId } }: SessionHolder) {
  const person = personId === null ? null : await findPerson(personId);
  return (
    person && {
      id: person._id,
      address: person.address,
      name: person.name,
      hasIdentity: Boolean(person.identity),
      projects: await projectsOf(person._id),
    }
  );
}

/** Resolves to what the console knows of the session that it works in. */
async function viewOf({ secrets, config }: Core, holder: SessionHolder) {
  const { project, grant, session, token } = holder;
  const data = {
    project: { id: project._id, name: project.name, plan: project.plan, disabled: project.disabledAt !== null },
    person: await personOf(holder),
    sessionId: sessionIdOf(holder),
    waits: null,
    grant,
    testMode: session.kind === 'test',
    temporalUrl: temporalUrlOf(config),
    submission: submissionOf(config),
    expiresAt: session.expiresAt.toISOString(),
    csrf: csrfOf(secrets, token),
  };
  return { success: true, data };
}

/** Resolves to what the console knows of a session that waits for a second factor: who has to show one learns nothing of the project. */
async function waitingViewOf({ secrets }: Core, { session, waits, token }: SessionHolder) {
  const projects = waits === 'enroll' && session.personId !== null ? await projectsOf(session.personId) : [];
  return {
    success: true,
    data: { sessionId: sessionIdOf({ session }), waits, projectId: session.projectId, projects, csrf: csrfOf(secrets, token) },
  };
}

async function showSession(core: Core, req: Request, res: Response): Promise<void> {
  requireOurPage(core, req);
  const holder = await cookieHolder(core, req);
  if (!holder) throw ended();
  stateOf(res).projectId = holder.session.projectId;
  res.json(await (holder.waits === null ? viewOf(core, holder) : waitingViewOf(core, holder)));
}

/** Signs in by a link, an invitation or a key. */
async function signIn(core: Core, req: Request, res: Response): Promise<void> {
  requireOurPage(core, req);
  await begin(core, res, await signedInBy(core, clientOfRequest(core, req), await readJson(req, res)));
}

/** Mails a link to a person. The answer comes before anything is looked up: neither it nor its time tells whether the address is known. */
async function askForLink(core: Core, req: Request, res: Response): Promise<void> {
  requireOurPage(core, req);
  const address = addressOf(await readJson(req, res));
  await takeMailAttempt(core.secrets, clientOfRequest(core, req), address);
  done(res);
  await afterwards(core, 'A sign-in link could not be mailed', () => mailSignIn(core, address));
}

const Switch = z.strictObject({ projectId: z.string().max(100) });

/** Switches to another project of the person. From now on, requests of other tabs for the previous project are refused. */
async function changeProject(core: Core, req: Request, res: Response): Promise<void> {
  requireOurPage(core, req);
  const holder = await waitingHolder(core, req);
  if (!holder || holder.waits === 'code') throw ended();
  const given = await bodyOf(Switch, 'Give the id of a project', req, res);
  const session = await switchProject(core.secrets, holder, given.projectId);
  if (!session) throw notFound('Project');
  await begin(core, res, session);
}

async function endSession(core: Core, req: Request, res: Response): Promise<void> {
  requireOurPage(core, req);
  const holder = await waitingHolder(core, req);
  if (!holder) throw ended();
  await signOut(holder);
  // A session of single sign-on has one at the provider, too.
  const leave = holder.session.bySso ? await providerSignOut(core) : null;
  res.set('Set-Cookie', setCookie(core.config, null)).json({ success: true, data: { success: true, leave } });
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

const SESSION: readonly Route[] = [
  ['get', '/session', showSession],
  ['post', '/session', signIn],
  ['delete', '/session', endSession],
  ['post', '/session/link', askForLink],
  ['post', '/session/project', changeProject],
  ['post', '/frame', showFrame],
];
