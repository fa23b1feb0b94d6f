import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Core } from '../../src/platform/core';
import { endSession, endSessionsOfPerson, sessionsOfPerson } from '../../src/records/console-sessions';
import { renamePerson, unlinkIdentity } from '../../src/records/members';
import { consoleHolder } from '../http/console-session';
import { done, givenReader, noteOwn, selfIn } from './kit';
import type { Route, Self } from './kit';

const bodyOf = givenReader(2_048);

/** Resolves to the person who asks. Throws `unauthorized`, and `forbidden` for a session of no person. */
const selfOf = async (core: Core, req: Request, res: Response): Promise<Self> => selfIn(res, await consoleHolder(core, req));

const Renamed = z.strictObject({ name: z.string().trim().min(1).max(200).nullable() });

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

/** Requests of a person about their account. No key has one, so none of these is an operation of the API. */
export const OWN: readonly Route[] = [
  ['patch', '/person', rename],
  ['delete', '/identity', unlink],
  ['get', '/sessions', showSessions],
  ['delete', '/sessions', endAll],
  ['delete', '/sessions/:id', endOne],
];
