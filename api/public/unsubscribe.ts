import type { Response } from 'express';
import type { Core } from '../../src/platform/core';
import { optOutOf, readerOf, undoOptOut } from '../../src/sending/tracking';
import { languageOf } from './language';
import { known, noSuchLink, sendPage } from './links';
import type { Links, Route, Serve } from './links';
import { isOneClick } from './one-click';
import { cannotUndoPage, resubscribedPage, unsubscribePage, unsubscribedPage } from './pages';
import { requireOwnHost } from './tracking-hosts';

/** Returns the pages by which recipients opt out and take it back. */
export function unsubscribeRoutes(core: Core, messageOf: Links['storedMessageOf']): readonly Route[] {
  const messageAt = async (res: Response, token: string): Promise<string> => {
    const emailId = messageOf('unsubscribe', token);
    await requireOwnHost(res, emailId);
    return emailId;
  };
  const askToUnsubscribe: Serve = async (token, req, res) => {
    const { sender, locale } = known(await readerOf(await messageAt(res, token)));
    sendPage(res, unsubscribePage(languageOf(req, locale), sender));
  };
  const unsubscribe: Serve = async (token, req, res) => {
    const emailId = await messageAt(res, token);
    const source = (await isOneClick(req, res)) ? 'one_click' : 'link';
    if (!(await optOutOf(core, emailId, source))) throw noSuchLink();
    const { sender, locale } = known(await readerOf(emailId));
    sendPage(res, unsubscribedPage(languageOf(req, locale), sender, token));
  };
  /** The token is what another site does not have, so that no other site can have a reader's browser send this. */
  const resubscribe: Serve = async (token, req, res) => {
    const emailId = await messageAt(res, token);
    const isUndone = known(await undoOptOut(emailId));
    const { sender, locale } = known(await readerOf(emailId));
    const language = languageOf(req, locale);
    if (isUndone) sendPage(res, resubscribedPage(language, sender));
    else sendPage(res.status(409), cannotUndoPage(language, sender));
  };
  return [
    ['GET', '/u/{token}', askToUnsubscribe],
    ['POST', '/u/{token}', unsubscribe],
    ['POST', '/u/{token}/undo', resubscribe],
  ];
}
