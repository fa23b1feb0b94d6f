import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { Core } from '../../src/platform/core';
import { AppError } from '../../src/platform/core';
import { noteChange } from '../../src/records/audit';
import type { SessionHolder, SignedIn } from '../../src/records/console-sessions';
import { byPerson } from '../../src/records/projects';
import { jsonReader } from '../http/body';
import { setCookie } from '../http/console-session';
import { unauthorized } from '../http/errors';
import { stateOf } from '../http/state';

type Handle = (core: Core, req: Request, res: Response) => Promise<void>;

/** A request that pages of the console make; paths are below `/console`. */
export type Route = readonly [method: 'get' | 'post' | 'patch' | 'delete', path: string, handle: Handle];

/** Resolves to the body of a request. Throws `validation_error`, with `fault`, for one of another form. */
type ReadGiven = <T>(schema: z.ZodType<T>, fault: string, req: Request, res: Response) => Promise<T>;

/** Returns what reads bodies of at most this many bytes. */
export function givenReader(limit: number): ReadGiven {
  const read = jsonReader(limit);
  return async (schema, fault, req, res) => {
    const given = schema.safeParse(await read(req, res));
    if (!given.success) throw new AppError('validation_error', fault);
    return given.data;
  };
}

export const done = (res: Response): void => void res.json({ success: true, data: { success: true } });

/** Writes down that somebody signed in. */
export const noteSignIn = (core: Core, res: Response, { projectId, by, sessionId }: SignedIn): Promise<void> => {
  stateOf(res).projectId = projectId;
  return noteChange(core, { projectId, by, action: 'console.sign-in', subject: sessionId });
};

/** Writes down that somebody signed in, and gives the session to the browser. */
export async function begin(core: Core, res: Response, session: SignedIn): Promise<void> {
  await noteSignIn(core, res, session);
  done(res.set('Set-Cookie', setCookie(core.config, session)));
}

/** A person who is signed in, and who asks from a page of the console. */
export interface Self {
  readonly personId: string;
  readonly projectId: string;
}

/** Returns the person of a session. Throws `unauthorized`, and `forbidden` for a session of no person. */
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
