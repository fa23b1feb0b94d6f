import type { Request, Response } from 'express';
import { z } from 'zod';
import { AppError } from '../../src/platform/core';
import type { Core } from '../../src/platform/core';
import { PAUSE_CHOICES } from '../../src/rules/pause';
import { preferencesOf, savePreferences } from '../../src/sending/preferences';
import type { Preferences, PreferencesForm } from '../../src/sending/preferences';
import { optOutOf, readerOf, subscribeAgain } from '../../src/sending/tracking';
import { detailsOf } from '../http/issues';
import { formOf } from './form-body';
import { policyOf } from './frame';
import { languageOf } from './language';
import { known, noSuchLink, sendPage } from './links';
import type { Links, Route, Serve } from './links';
import { unsubscribedPage } from './pages';
import { preferencePage } from './preference-page';
import type { Done } from './preference-page';
import { LEAVE_REASONS } from './preference-texts';
import { requireOwnHost } from './tracking-hosts';

const pause = z.union([
  z.literal('').transform(() => null),
  z.enum([...PAUSE_CHOICES, 'none']),
  z.iso.datetime().transform((text) => new Date(text)),
]);

const Form = z.object({
  action: z.enum(['save', 'off', 'on']).default('save'),
  version: z.string().max(65_536).default(''),
  topic: z.array(z.string()),
  pause: pause.default(null),
  reason: z
    .enum(['', ...LEAVE_REASONS])
    .default('')
    .transform((reason) => (reason === '' ? null : reason)),
});

/** Reads a form of the page. Throws 422 for input that none of its forms sends. */
async function readForm(req: Request, res: Response): Promise<z.output<typeof Form>> {
  const fields = await formOf(req, res);
  const given = { ...Object.fromEntries(fields), topic: fields.getAll('topic') };
  const parsed = Form.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new AppError('validation_error', 'The form does not belong to this page', detailsOf(parsed.error, given));
}

/** Returns the page where recipients choose what they get. Reading it changes nothing: programs follow links. */
export function preferenceRoutes(core: Core, messageOf: Links['storedMessageOf']): readonly Route[] {
  const messageAt = async (res: Response, token: string): Promise<string> => {
    const emailId = messageOf('unsubscribe', token);
    await requireOwnHost(res, emailId);
    return emailId;
  };
  const show = async (emailId: string, req: Request, res: Response, done: Done | null = null): Promise<void> =>
    send(known(await preferencesOf(emailId, new Date())), req, res, done);
  const send = (preferences: Preferences, req: Request, res: Response, done: Done | null): void =>
    sendPage(res, preferencePage(languageOf(req, preferences.locale), preferences, done), policyOf(preferences.brand));
  // The page of a person who was erased is gone, and what they ask is done all the same.
  const sayLeft = async (emailId: string, token: string, req: Request, res: Response): Promise<void> => {
    const preferences = await preferencesOf(emailId, new Date());
    if (preferences) return send(preferences, req, res, { outcome: 'off' });
    const reader = known(await readerOf(emailId));
    sendPage(res, unsubscribedPage(languageOf(req, reader.locale), reader, token, null, '../u/'), policyOf(reader.brand));
  };
  const read: Serve = async (token, req, res) => show(await messageAt(res, token), req, res);
  const change: Serve = async (token, req, res) => {
    const emailId = await messageAt(res, token);
    const { action, reason, topic, version, pause: wanted } = await readForm(req, res);
    const at = new Date();
    if (action === 'save') {
      const form: PreferencesForm = { version, ticked: new Set(topic), pause: wanted };
      const saved = known(await savePreferences(core, emailId, form, at));
      if (saved.outcome === 'outdated') res.status(409);
      return show(emailId, req, res, saved);
    }
    if (action === 'off') {
      if (!(await optOutOf(core, emailId, 'link', at, reason))) throw noSuchLink();
      return sayLeft(emailId, token, req, res);
    }
    const isBack = known(await subscribeAgain(emailId, at));
    return show(emailId, req, res.status(isBack ? 200 : 409), { outcome: isBack ? 'on' : 'refused' });
  };
  return [
    ['GET', '/p/{token}', read],
    ['POST', '/p/{token}', change],
  ];
}
