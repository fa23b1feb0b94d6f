import request from 'supertest';
import type { Test } from 'supertest';
import type { OptInOutlook } from '../../../src/contracts/contacts';
import type { Email } from '../../../src/records/emails/model';
import { confirmUrl } from '../../../src/sending/opt-in/mail';
import type { OptIn } from '../../../src/sending/opt-in/model';
import { checkOptIn } from '../../../src/sending/opt-in/check-opt-in';
import { stored } from '../data/stored';
import type { TestApp } from '../platform/app';

export const DAY = 86_400_000;
const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';

/** Calls that tests of opt-ins make, as the first project. */
export function optInCalls(app: () => TestApp) {
  const rowOf = (email: string): Promise<OptIn> => stored.optIns.get({ email });
  return {
    rowOf,
    /** Does what the workflow would do, so much later. */
    async turn(email: string, afterMs = 0): Promise<OptInOutlook | null> {
      const { _id: optInId, projectId } = await rowOf(email);
      return checkOptIn(app().core, { optInId, projectId, now: Date.now() + afterMs });
    },
    mailTo: (email: string): Promise<Email[]> => stored.emails.all({ to: email }, { createdAt: 1, _id: 1 }),
    /** The path of the link in the newest confirmation. */
    linkOf: async (email: string): Promise<string> => confirmUrl(app().core, await rowOf(email)).slice(app().core.config.PUBLIC_URL.length),
    visit: (method: 'get' | 'head', path: string, headers: Readonly<Record<string, string>> = {}): Test => {
      const { [method]: ask } = request(app().url);
      return ask(path).set({ 'User-Agent': BROWSER, ...headers });
    },
    /** Uses the button of the page of a link. */
    async confirm(path: string): Promise<string> {
      const page = await request(app().url).get(path).set('User-Agent', BROWSER).expect(200);
      const version = /name="version" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
      const { text } = await request(app().url).post(path).type('form').set('User-Agent', BROWSER).send({ version }).expect(200);
      return text;
    },
  };
}
