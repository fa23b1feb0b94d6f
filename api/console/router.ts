import { Router } from 'express';
import type { Request, Response, Router as RouterType } from 'express';
import type { Core } from '../../src/platform/core';
import { unavailable } from '../http/errors';
import { stateOf } from '../http/state';
import { consoleFiles } from './files';
import { showFrame } from './frame';
import { endSession, showSession, signIn } from './sign-in';

/** Returns the console under /console: its files, its sessions, and the frame that messages are shown in. What it shows it asks of the API, as any client does. */
export function consolePages(core: Core, ready: () => boolean): RouterType {
  const router = Router();
  const asked =
    (route: string, handle: (core: Core, req: Request, res: Response) => Promise<void>) => async (req: Request, res: Response) => {
      stateOf(res).route = `/console${route}`;
      res.set('Cache-Control', 'no-store');
      if (!ready()) throw unavailable('The database cannot be reached yet; try again');
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
