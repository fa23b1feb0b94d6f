import type { Request, Response } from 'express';
import { AppError } from '../../src/platform/core';
import type { Core } from '../../src/platform/core';
import { signInBySso, takeAttempt } from '../../src/records/console-sessions';
import { beginSso, finishSso, placeOf, providerLabel } from '../../src/records/single-sign-on';
import type { SsoRefusal } from '../../src/records/single-sign-on';
import { clientOfRequest } from '../http/client-of-request';
import { cookieIn, cookieOf, setCookie } from '../http/console-session';
import { noteSignIn } from './kit';
import type { Route } from './kit';

const NAME = 'lettermill-sso';

/** Returns the cookie of a sign-in at the provider. It is `Lax`: the browser has to send it when it comes back from another site. */
const attemptCookie = (config: Core['config'], value: string, seconds: number): string =>
  cookieOf(config, { name: NAME, value, lifetime: `Max-Age=${seconds}`, sameSite: 'Lax' });

/** Leads back to the sign-in page, which says why. */
const refuse = ({ config }: Core, res: Response, refusal: SsoRefusal): void =>
  res.redirect(303, `${config.PUBLIC_URL}/console/#refused=${refusal}`);

/** Says how people can sign in, apart from links and keys. */
function showWays(core: Core, _req: Request, res: Response): Promise<void> {
  const label = providerLabel(core);
  res.json({ success: true, data: { sso: label === null ? null : { label } } });
  return Promise.resolve();
}

/** Returns whether a browser opens the address as a page. Pictures and the like of other sites name it too, and must use up nobody's attempts. */
const isVisit = ({ headers }: Request): boolean => (headers['sec-fetch-dest'] ?? 'document') === 'document';

async function begin(core: Core, req: Request, res: Response): Promise<void> {
  if (providerLabel(core) === null) return refuse(core, res, 'unavailable');
  if (!isVisit(req)) throw new AppError('forbidden', 'Open this address as a page');
  await takeAttempt(core.secrets, clientOfRequest(core, req));
  const begun = await beginSso(core);
  if (!begun) return refuse(core, res, 'unavailable');
  res.set('Set-Cookie', attemptCookie(core.config, begun.token, begun.seconds)).redirect(303, begun.url);
}

/** Signs in whom the provider vouches for. */
async function finish(core: Core, req: Request, res: Response): Promise<void> {
  const { config, secrets } = core;
  const token = cookieIn(config, req, NAME);
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
  await noteSignIn(core, res, session);
  res.set('Set-Cookie', [used, setCookie(config, session)]).redirect(303, `${config.PUBLIC_URL}/console/`);
}

/** The way in by an OpenID provider. A browser that comes back sends no `SameSite=Strict` cookie, so nothing here asks for the session. */
export const SINGLE_SIGN_ON: readonly Route[] = [
  ['get', '/ways', showWays],
  ['get', '/oidc', begin],
  ['get', '/oidc/callback', finish],
];
