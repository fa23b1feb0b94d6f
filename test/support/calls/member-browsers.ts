import { parseRequest } from '../../../src/processes/admin/request';
import type { MemberRole } from '../../../src/records/projects/model';
import type { TestApp } from '../platform/app';
import { stored } from '../data/stored';
import { CONSOLE_ORIGIN, ConsoleBrowser } from './console-browser';

/** Runs a command of the operator. */
export async function operate<T>(app: TestApp, ...argv: readonly string[]): Promise<T> {
  const platform = {
    release: '0.1.0',
    maxKeys: 50,
    publicUrl: CONSOLE_ORIGIN,
    secrets: () => app.core.secrets,
    config: app.core.config,
    say: () => undefined,
  };
  return (await parseRequest(argv).run(platform)).result as T;
}

/** The token in a link to the console. */
export const tokenIn = (url: string): string => url.split('#')[1]?.split('=')[1] ?? '';

/** A person at the console. */
export interface SignedInMember {
  readonly personId: string;
  readonly browser: ConsoleBrowser;
}

/** Adds a person as a member, and signs the person in by the link that the operator gets. */
export async function aMember(app: TestApp, address: string, role: MemberRole, projectId = app.keys.projectId): Promise<SignedInMember> {
  const { personId, url } = await operate<{ personId: string; url: string }>(app, 'members', 'add', projectId, address, role);
  const browser = new ConsoleBrowser(app.url);
  const { status } = await browser.signIn({ link: tokenIn(url) });
  if (status !== 200) throw new Error(`The link of ${address} answered ${status}`);
  return { personId, browser };
}

/** Resolves to the token of the newest link that was mailed to an address; null where none was. */
export async function mailedToken(address: string): Promise<string | null> {
  const [mail] = await stored.emails.all({ to: address }, { _id: -1 });
  if (!mail) return null;
  const { url } = JSON.parse(mail.values) as { readonly url: string };
  return tokenIn(url);
}
