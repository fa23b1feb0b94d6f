import request from 'supertest';
import type { Test } from 'supertest';
import { EmailModel } from '../../../src/records/emails/model';
import type { Email } from '../../../src/records/emails/model';
import { clickUrl } from '../../../src/records/emails/click-links';
import { openPixelUrl } from '../../../src/records/emails/urls';
import { EventModel } from '../../../src/records/events/model';
import type { Event } from '../../../src/records/events/model';
import { HitRecorder } from '../../../src/sending/tracking/record';
import type { TestApp } from '../../support/platform/app';
import { storeEmail } from '../../support/data/email-rows';

export const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';
export const LINK = 'https://example.com/offer?a=1&b=2#top';

type Mail = Pick<Email, '_id'>;

/** A message that has arrived, with changes. */
export async function delivered(app: TestApp, change: Partial<Email> = {}): Promise<Email> {
  const at = new Date();
  return storeEmail(app.keys.projectId, {
    status: 'delivered',
    sentAt: at,
    deliveredAt: at,
    contactId: 'ctc_1',
    ...change,
  });
}

const pathOf = (app: TestApp, url: string): string => url.slice(app.core.config.PUBLIC_URL.length);
export const pixel = (app: TestApp, { _id }: Mail): string => pathOf(app, openPixelUrl(app.core, { _id }));
export const link = (app: TestApp, { _id }: Mail, url = LINK): string => pathOf(app, clickUrl(app.core, { _id }, url));

/** A request as a browser makes it, unless the headers say otherwise; redirects are not followed. */
export function visit(app: TestApp, method: 'get' | 'head', path: string, headers: Readonly<Record<string, string>> = {}): Test {
  const { [method]: ask } = request(app.url);
  return ask(path)
    .redirects(0)
    .set({ 'User-Agent': BROWSER, ...headers });
}

const underWay: Promise<void>[] = [];
const { record } = HitRecorder.prototype;
/** No mock: a file of the same group would restore it. */
HitRecorder.prototype.record = function (hit) {
  const recorded = record.call(this, hit);
  underWay.push(recorded);
  return recorded;
};

/** A reader on a busy machine is answered before the visit is recorded. */
export const recorded = (): Promise<unknown> => Promise.allSettled(underWay.splice(0));

export async function stateOf({ _id }: Mail): Promise<Email> {
  await recorded();
  return (await EmailModel.findById(_id).lean<Email>()) as Email;
}

/** The events of a message, oldest first. */
export async function emitted({ _id }: Mail): Promise<{ name: string; data: Record<string, unknown>; testMode: boolean }[]> {
  await recorded();
  const events = await EventModel.find({ emailId: _id }).sort({ createdAt: 1 }).lean<Event[]>();
  return events.map(({ name, data, testMode }) => ({ name, data: data ?? {}, testMode }));
}
