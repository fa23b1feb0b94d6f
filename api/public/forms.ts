import type { Request, Response } from 'express';
import { challengeFor, formOfPage, submitForm } from '../../src/marketing/forms';
import type { BrandedForm } from '../../src/marketing/forms';
import type { Language } from '../../src/rules/languages';
import { AppError, notFound } from '../../src/platform/core';
import type { Core } from '../../src/platform/core';
import { STATUS, failureHeaders, unavailable } from '../http/errors';
import { stateOf } from '../http/state';
import { membersOf } from './form-body';
import { formPage, formPolicy, saidPage } from './form-pages';
import type { Said } from './form-pages';
import { policyOf } from './frame';
import { languageOf } from './language';
import { sendPage } from './links';
import type { Route, Serve } from './links';
import { visitorOf } from './opt-in';

const wantsPage = (req: Request): boolean => req.accepts(['json', 'html']) === 'html';

/** Returns the page of a form, and what takes its answers: from the page, from a form of another site, and as JSON from any site (CORS). */
export function formRoutes(core: Core, ready: () => boolean): readonly Route[] {
  const formAt = async (id: string): Promise<BrandedForm> => {
    if (!ready()) throw unavailable('The database is not reachable yet; retry shortly');
    const form = await formOfPage(id);
    if (!form) throw notFound('Form');
    return form;
  };
  const draw = (form: BrandedForm) => challengeFor(core, form, new Date());

  const show: Serve = async (id, req, res) => {
    const form = await formAt(id);
    const language = languageOf(req, null);
    if (form.state === 'held') say(res.status(409), form, language, 'held');
    else sendPage(res, formPage(language, form, { challenge: draw(form) }), formPolicy(form));
  };

  const take: Serve = async (id, req, res) => {
    res.set('Access-Control-Allow-Origin', '*');
    const form = await formAt(id);
    const given = await membersOf(req, res);
    const language = languageOf(req, null);
    const submission = { given, locale: req.get('accept-language') === undefined ? null : language, visitor: visitorOf(core, req) };
    try {
      await submitForm(core, form, submission);
    } catch (error) {
      if (!(error instanceof AppError) || !wantsPage(req)) throw error;
      return sayFailure(error, req, res, () => formPage(language, form, { challenge: draw(form), given, faults: faultsOf(error) }), form);
    }
    answer(form, req, res);
  };

  const preflight: Serve = (_id, _req, res) => {
    res.set({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Methods': 'POST', 'Access-Control-Allow-Headers': 'Content-Type' });
    res.set('Access-Control-Max-Age', '86400').status(204).end();
    return Promise.resolve();
  };

  return [
    ['GET', '/f/{token}', show],
    ['POST', '/f/{token}', take],
    ['OPTIONS', '/f/{token}', preflight],
  ];
}

const faultsOf = ({ details }: AppError): readonly string[] => details.map(({ message }) => message);

const say = (res: Response, form: BrandedForm, language: Language, which: Said): void =>
  sendPage(res, saidPage(language, form, which), policyOf(form.brand));

/** Answers every sender the same, by the form alone: the answer does not reveal whether the address is known. */
function answer(form: BrandedForm, req: Request, res: Response): void {
  const { doubleOptIn, redirectUrl } = form;
  if (!wantsPage(req))
    res.status(doubleOptIn ? 202 : 200).json({ success: true, data: { status: doubleOptIn ? 'pending' : 'subscribed' } });
  else if (redirectUrl !== null) res.status(303).set('Location', new URL(redirectUrl).href).end();
  else say(res, form, languageOf(req, null), doubleOptIn ? 'sent' : 'subscribed');
}

function sayFailure(error: AppError, req: Request, res: Response, again: () => string, form: BrandedForm): void {
  res.status(STATUS[error.code]).set(failureHeaders(error, stateOf(res).publicUrl));
  if (error.code === 'validation_error') sendPage(res, again(), formPolicy(form));
  else if (error.code === 'rate_limited') say(res, form, languageOf(req, null), 'tooMany');
  else if (error.code === 'invalid_state') say(res, form, languageOf(req, null), 'held');
  else throw error;
}
