import { Router } from 'express';
import type { Request, Response, Router as RouterType } from 'express';
import { AppError } from '../../src/platform/core';
import type { Core } from '../../src/platform/core';
import { signInBySso, takeAttempt } from '../../src/records/console-sessions';
import type { SignedIn } from '../../src/records/console-sessions';
import { beginSso, finishSso, placeOf, providerLabel } from '../../src/records/single-sign-on';
import type { SsoRefusal } from '../../src/records/single-sign-on';
import { clientOfRequest } from '../http/client-of-request';
import { cookieIn, setCookie } from '../http/console-session';
import { stateOf } from '../http/state';

type Config = Core['config'];
type Handle = (core: Core, req: Request, res: Response) => Promise<void>;
type Asked = (route: string, handle: Handle) => (req: Request, res: Response) => Promise<void>;

const isSecure = ({ PUBLIC_URL }: Config): boolean => PUBLIC_URL.startsWith('https:');
const cookieName = (config: Config): string => (isSecure(config) ? '__Host-lettermill-sso' : 'lettermill-sso');

/** Returns the cookie of a sign-in at the provider. It is `Lax`: the browser has to send it when it comes back from another site. */
const attemptCookie = (config: Config, token: string, seconds: number): string =>
  `${cookieName(config)}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure(config) ? '; Secure' : ''}`;

/** Leads back to the sign-in page, which says why. */
const refuse = ({ config }: Core, res: Response, refusal: SsoRefusal): void =>
  res.redirect(303, `${config.PUBLIC_URL}/console/#refused=${refusal}`);

/** Says how people can sign in, apart from links and keys. */
async function showWays(core: Core, _req: Request, res: Response): Promise<void> {
  const label = providerLabel(core);
  res.json({ success: true, data: { sso: label === null ? null : { label } } });
  await Promise.resolve();
}

/** Returns whether a browser opens the address as a page. Pictures and the like of other sites name it too, and must use up nobody's attempts. */
const isVisit = ({ headers }: Request): boolean => (headers['sec-fetch-dest'] ?? 'document') === 'document';

/** Leads to the provider. */
async function begin(core: Core, req: Request, res: Response): Promise<void> {
  if (providerLabel(core) === null) return refuse(core, res, 'unavailable');
  if (!isVisit(req)) throw new AppError('forbidden', 'Open this address as a page');
  await takeAttempt(core.secrets, clientOfRequest(core, req));
  const begun = await beginSso(core);
  if (!begun) return refuse(core, res, 'unavailable');
  res.set('Set-Cookie', attemptCookie(core.config, begun.token, begun.seconds)).redirect(303, begun.url);
}

/** Signs in whom the provider vouches for. */
async function finish(core: Core, req: Request, res: Response, noted: (session: SignedIn) => Promise<void>): Promise<void> {
  const { config, secrets } = core;
  const token = cookieIn(req, cookieName(config));
  // A request without the cookie leads nowhere, so it is no attempt: other sites can cause one, and browsers send none of ours along.
  if (token !== null) await takeAttempt(secrets, clientOfRequest(core, req));
  const query = req.originalUrl.slice(req.originalUrl.indexOf('?') + 1);
  const claims = await finishSso(core, query, token);
  const used = attemptCookie(config, '', 0);
  res.set('Set-Cookie', used);
  if (typeof claims === 'string') return refuse(core, res, claims);
  const place = await placeOf(core, claims);
  if (typeof place === 'string') return refuse(core, res, place);
  const session = await signInBySso(secrets, place.projectId, place.personId);
  if (!session) return refuse(core, res, 'no-access');
  stateOf(res).projectId = session.projectId;
  await noted(session);
  res.set('Set-Cookie', [used, setCookie(config, session)]).redirect(303, `${config.PUBLIC_URL}/console/`);
}

/** Returns the way in by an OpenID provider. A browser that comes back sends no `SameSite=Strict` cookie, so nothing here asks for the session. */
export function ssoPages(asked: Asked, noted: (core: Core, session: SignedIn) => Promise<void>): RouterType {
  const router = Router();
  router.get('/ways', asked('/ways', showWays));
  router.get('/oidc', asked('/oidc', begin));
  router.get(
    '/oidc/callback',
    asked('/oidc/callback', (core, req, res) => finish(core, req, res, (session) => noted(core, session))),
  );
  return router;
}
