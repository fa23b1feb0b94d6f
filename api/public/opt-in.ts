import type { Request } from 'express';
import { escapeMarkup } from '../../src/message/template';
import type { Core } from '../../src/platform/core';
import { confirmOptIn, optInAt } from '../../src/sending/opt-in';
import type { ShownOptIn, Visitor } from '../../src/sending/opt-in';
import { machineReason } from '../../src/sending/tracking';
import type { Language } from '../../src/rules/languages';
import { clientOfRequest } from '../http/client-of-request';
import { unavailable } from '../http/errors';
import { smallFormOf } from './form-body';
import { languageOf } from './language';
import { known, sendPage } from './links';
import type { Route, Serve } from './links';
import { policyOf, titled } from './frame';
import { named } from './pages';
import { SIGN_UP_TEXTS } from './sign-up-texts';

/** Returns who opened or used a page, for the ledger of consent. */
export const visitorOf = (core: Core, req: Request): Visitor => ({
  ip: clientOfRequest(core, req) || null,
  userAgent: req.get('user-agent') ?? null,
});

const topicList = (language: Language, names: readonly string[]): string =>
  names.length === 0
    ? ''
    : `\n<p>${SIGN_UP_TEXTS[language].topics}</p>\n<ul>${names.map((name) => `<li>${escapeMarkup(name)}</li>`).join('')}</ul>`;

/** Asks before anything happens: programs that follow links must not confirm anything. */
function askPage(language: Language, { sender, brand, topicNames, text, version }: ShownOptIn): string {
  const { ask, askButton } = SIGN_UP_TEXTS[language];
  const agreed = text === null ? '' : `\n<p>${escapeMarkup(text)}</p>`;
  const button = `\n<form method="post"><input type="hidden" name="version" value="${version}"><button type="submit">${escapeMarkup(askButton)}</button></form>`;
  const content = `<p>${named(ask[1], sender)}</p>${topicList(language, topicNames)}${agreed}${button}`;
  return titled({ language, title: named(ask[0], sender), content, brand });
}

function donePage(language: Language, { sender, brand, topicNames }: ShownOptIn): string {
  const [title, text] = SIGN_UP_TEXTS[language].done;
  const content = `<p>${named(text, sender)}</p>${topicList(language, topicNames)}`;
  return titled({ language, title: named(title, sender), content, brand });
}

/** Returns the text that a person reads before they confirm, word by word, for the ledger of consent. */
function shownText(language: Language, { sender, topicNames, text }: ShownOptIn): string {
  const { ask, topics, askButton } = SIGN_UP_TEXTS[language];
  const chosen = topicNames.length === 0 ? [] : [topics, ...topicNames.map((name) => `- ${name}`)];
  const said = ask.map((each) => each.replaceAll('{sender}', () => sender));
  return [...said, ...chosen, ...(text === null ? [] : [text]), `[${askButton}]`].join('\n');
}

/** Returns the page on which a person confirms that they signed up. HEAD, prefetch and scanners confirm nothing. */
export function optInRoutes(core: Core, ready: () => boolean): readonly Route[] {
  const shownAt = async (token: string): Promise<ShownOptIn> => {
    if (!ready()) throw unavailable('The database is not reachable yet; retry shortly');
    return known(await optInAt(core, token));
  };
  const confirmAt = async (token: string, req: Request, optIn: ShownOptIn, version: string): Promise<string> => {
    const language = languageOf(req, optIn.locale);
    const shown = { text: shownText(language, optIn), version };
    const isConfirmed = known(await confirmOptIn(core, token, shown, visitorOf(core, req)));
    return isConfirmed ? donePage(language, optIn) : askPage(language, await shownAt(token));
  };
  const open: Serve = async (token, req, res) => {
    const optIn = await shownAt(token);
    const language = languageOf(req, optIn.locale);
    if (optIn.status === 'confirmed') return sendPage(res, donePage(language, optIn), policyOf(optIn.brand));
    const confirmsByLink = optIn.confirm === 'link' && machineReason('click', req) === null;
    const page = confirmsByLink ? await confirmAt(token, req, optIn, optIn.version) : askPage(language, optIn);
    sendPage(res, page, policyOf(optIn.brand));
  };
  const confirm: Serve = async (token, req, res) => {
    const version = (await smallFormOf(req, res)).get('version');
    const optIn = await shownAt(token);
    sendPage(res, await confirmAt(token, req, optIn, typeof version === 'string' ? version : ''), policyOf(optIn.brand));
  };
  return [
    ['GET', '/c/{token}', open],
    ['POST', '/c/{token}', confirm],
  ];
}
