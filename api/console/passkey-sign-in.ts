import { Router } from 'express';
import type { Request, Response, Router as RouterType } from 'express';
import { z } from 'zod';
import type { Core } from '../../src/platform/core';
import { passFactor, sessionIdOf, signInPerson, takeAttempt } from '../../src/records/console-sessions';
import { askForPasskey, passkeySiteOf, personByPasskey, projectsOf } from '../../src/records/members';
import { clientOfRequest } from '../http/client-of-request';
import { requireOurPage, setCookie, waitingHolder } from '../http/console-session';
import { unauthorized } from '../http/errors';
import { stateOf } from '../http/state';
import { givenReader } from './given';
import { noteSignIn } from './note';
import { done, noteOwn, selfIn } from './own';
import type { Asked } from './own';
import { Authentication } from './passkey-schemas';

const bodyOf = givenReader(16_384);

const Given = z.strictObject({ response: Authentication });

const refused = () => unauthorized('This passkey was not accepted. Begin again, or sign in another way');

/** Answers with what the browser needs to find a passkey. */
async function ask(core: Core, req: Request, res: Response): Promise<void> {
  requireOurPage(core, req);
  await takeAttempt(core.secrets, clientOfRequest(core, req));
  res.json({ success: true, data: await askForPasskey(passkeySiteOf(core.config.PUBLIC_URL)) });
}

/**
 * Signs in by a passkey, which is both factors: something that the person has, and verified with it. A session that waits for the second factor of the same
 * person continues; otherwise, one begins in the person's oldest project.
 */
async function signIn(core: Core, req: Request, res: Response): Promise<void> {
  requireOurPage(core, req);
  await takeAttempt(core.secrets, clientOfRequest(core, req));
  const { response } = await bodyOf(Given, 'Give the answer of the browser', req, res);
  const personId = await personByPasskey(passkeySiteOf(core.config.PUBLIC_URL), response);
  if (personId === null) throw refused();
  const waiting = await waitingHolder(core, req);
  if (waiting?.waits === 'code') {
    if (waiting.session.personId !== personId) throw refused();
    await passFactor(waiting);
    await noteOwn(core, selfIn(res, waiting), 'console.verify', sessionIdOf(waiting));
    return done(res);
  }
  const [first] = await projectsOf(personId);
  const session = first ? await signInPerson(core.secrets, first.projectId, personId, new Date()) : null;
  if (!session) throw refused();
  stateOf(res).projectId = session.projectId;
  await noteSignIn(core, session);
  res.set('Set-Cookie', setCookie(core.config, session)).json({ success: true, data: { success: true } });
}

/** Returns the two requests of a sign-in by passkey. */
export function passkeySignIn(asked: Asked): RouterType {
  const router = Router();
  router.post('/session/passkey/options', asked('/session/passkey/options', ask));
  router.post('/session/passkey', asked('/session/passkey', signIn));
  return router;
}
