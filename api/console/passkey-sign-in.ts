import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Core } from '../../src/platform/core';
import { passFactor, sessionIdOf, signInPerson, takeAttempt } from '../../src/records/console-sessions';
import { askForPasskey, passkeySiteOf, personByPasskey, projectsOf } from '../../src/records/members';
import { clientOfRequest } from '../http/client-of-request';
import { requireOurPage, waitingHolder } from '../http/console-session';
import { unauthorized } from '../http/errors';
import { begin, done, givenReader, noteOwn, selfIn } from './kit';
import type { Route } from './kit';
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
  await begin(core, res, session);
}

/** The two requests of a sign-in by passkey. */
export const PASSKEY_SIGN_IN: readonly Route[] = [
  ['post', '/session/passkey/options', ask],
  ['post', '/session/passkey', signIn],
];
