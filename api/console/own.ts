import { Router } from 'express';
import type { Request, Response, Router as RouterType } from 'express';
import { z } from 'zod';
import type { Core } from '../../src/platform/core';
import { AppError } from '../../src/platform/core';
import { noteChange } from '../../src/records/audit';
import { endSession, endSessionsOfPerson, sessionsOfPerson } from '../../src/records/console-sessions';
import type { SessionHolder } from '../../src/records/console-sessions';
import { renamePerson, unlinkIdentity } from '../../src/records/members';
import { byPerson } from '../../src/records/projects';
import { consoleHolder } from '../http/console-session';
import { unauthorized } from '../http/errors';
import { stateOf } from '../http/state';
import { givenReader } from './given';

const bodyOf = givenReader(2_048);

/** A person who is signed in, and who asks from a page of the console. */
export interface Self {
  readonly personId: string;
  readonly projectId: string;
}

/** Resolves to the person who asks. Throws `unauthorized`, and `forbidden` for a session of no person. */
const selfOf = async (core: Core, req: Request, res: Response): Promise<Self> => selfIn(res, await consoleHolder(core, req));

/** Returns the person of a session. Throws the same. */
export function selfIn(res: Response, holder: SessionHolder | null): Self {
  if (!holder) throw unauthorized('You are not signed in');
  const { personId, projectId } = holder.session;
  stateOf(res).projectId = projectId;
  if (personId === null) throw new AppError('forbidden', 'Sign in as a person to do this: a key or an operator’s link has no account');
  return { personId, projectId };
}

/** Writes down what a person did to the own account. */
export const noteOwn = (core: Core, { personId, projectId }: Self, action: string, subject: string): Promise<void> =>
  noteChange(core, { projectId, by: byPerson(personId), action, subject });

export const done = (res: Response): void => void res.json({ success: true, data: { success: true } });

const Renamed = z.strictObject({ name: z.string().trim().min(1).max(200).nullable() });

type Handle = (core: Core, req: Request, res: Response) => Promise<void>;
export type Asked = (route: string, handle: Handle) => (req: Request, res: Response) => Promise<void>;

async function rename(core: Core, req: Request, res: Response): Promise<void> {
  const self = await selfOf(core, req, res);
  const given = await bodyOf(Renamed, 'Give a name of 1 to 200 characters, or null', req, res);
  await renamePerson(self.personId, given.name);
  await noteOwn(core, self, 'person.update', self.personId);
  done(res);
}

async function showSessions(core: Core, req: Request, res: Response): Promise<void> {
  const { personId } = await selfOf(core, req, res);
  res.json({ success: true, data: await sessionsOfPerson(personId) });
}

async function endOne(core: Core, req: Request, res: Response): Promise<void> {
  const self = await selfOf(core, req, res);
  const id = String(req.params['id']);
  await endSession(id, self.personId);
  await noteOwn(core, self, 'console.end', id);
  done(res);
}

async function endAll(core: Core, req: Request, res: Response): Promise<void> {
  const self = await selfOf(core, req, res);
  await endSessionsOfPerson(self.personId);
  await noteOwn(core, self, 'console.end', self.personId);
  done(res);
}

async function unlink(core: Core, req: Request, res: Response): Promise<void> {
  const self = await selfOf(core, req, res);
  await unlinkIdentity(self.personId);
  await noteOwn(core, self, 'person.unlink', self.personId);
  done(res);
}

/** Returns what a person does to the own account. No key has one, so none of this is an operation of the API. */
export function ownPages(asked: Asked): RouterType {
  const router = Router();
  router.patch('/person', asked('/person', rename));
  router.delete('/identity', asked('/identity', unlink));
  router.get('/sessions', asked('/sessions', showSessions));
  router.delete('/sessions', asked('/sessions', endAll));
  router.delete('/sessions/:id', asked('/sessions/:id', endOne));
  return router;
}
