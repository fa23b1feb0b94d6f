import { z } from 'zod';
import type { Core } from '../../src/platform/core';
import { AppError } from '../../src/platform/core';
import { normalizeAddress } from '../../src/platform/addresses';
import { inTransaction } from '../../src/platform/mongo';
import { noteChange } from '../../src/records/audit';
import { prepareLink, signInByKey, signInByLink, signInPerson, takeAttempt } from '../../src/records/console-sessions';
import type { SignedIn } from '../../src/records/console-sessions';
import { acceptInvitation, findPersonAt, invitationOf, projectsOf } from '../../src/records/members';
import { byPerson } from '../../src/records/projects';
import { prepareConsoleMail } from '../../src/sending/console-mail';
import { contextOf } from '../../src/sending/opt-in';
import { unauthorized } from '../http/errors';

const text = z.string().max(200);

/** The credentials that a browser may sign in with. */
const Given = z.union([z.strictObject({ link: text }), z.strictObject({ invitation: text }), z.strictObject({ key: text })]);

const NO_LINK =
  'This link was already used or has expired. Ask for a new one: enter your address here, or ask an operator for npm run admin -- console-link <projectId>';
const NO_KEY = 'This is not a valid secret or test key. Check the key, or use another one';
const NO_INVITATION = 'This invitation was already accepted, was withdrawn or has expired. Ask for a new one';

/** Signs in by what the browser gives; `client` is its network address. Throws `validation_error`, `unauthorized` and `rate_limited`. */
export async function signedInBy(core: Core, client: string, body: unknown): Promise<SignedIn> {
  const given = Given.safeParse(body);
  if (!given.success) throw new AppError('validation_error', 'Give either a link, an invitation or a key');
  const { data } = given;
  if ('key' in data) return known(await signInByKey(core.secrets, client, data.key.trim()), NO_KEY);
  if ('link' in data) return known(await signInByLink(core.secrets, client, data.link), NO_LINK);
  return known(await accepted(core, client, data.invitation), NO_INVITATION);
}

function known(found: SignedIn | string | null, fault: string): SignedIn {
  if (found === null || typeof found === 'string') throw unauthorized(fault);
  return found;
}

/** Accepts an invitation and signs its person in: anyone who has the link reads the mail of the address. */
async function accepted(core: Core, client: string, token: string): Promise<SignedIn | null> {
  await takeAttempt(core.secrets, client);
  const invitation = await invitationOf(token);
  const personId = invitation && (await acceptInvitation(invitation));
  if (!invitation || personId === null) return null;
  const { projectId } = invitation;
  await noteChange(core, { projectId, by: byPerson(personId), action: 'member.join', subject: personId });
  return signInPerson(core.secrets, projectId, personId);
}

const Address = z.strictObject({ address: z.string().max(300) });

/** Returns the address that a link is asked for. Throws `validation_error`. */
export function addressOf(body: unknown): string {
  const given = Address.safeParse(body);
  const address = given.success ? normalizeAddress(given.data.address.trim()) : null;
  if (address === null) throw new AppError('validation_error', 'Give your e-mail address');
  return address;
}

/** Mails a link to a person, from the first of the person's projects that can send. Does nothing for an address that nobody has. */
export async function mailSignIn(core: Core, address: string): Promise<void> {
  const person = await findPersonAt(address);
  const projects = person ? await projectsOf(person._id) : [];
  for (const { projectId } of projects) if (person && (await isMailed(core, projectId, person))) return;
  if (person) core.log.warn({ personId: person._id }, 'A sign-in link could not be mailed: no project of the person can send');
}

async function isMailed(
  core: Core,
  projectId: string,
  { _id, address }: { readonly _id: string; readonly address: string },
): Promise<boolean> {
  const { url, store: storeLink } = await prepareLink(projectId, core.config.PUBLIC_URL, _id);
  const mail = {
    to: address,
    subject: 'Sign in to Lettermill',
    why: 'Somebody asked for a link to sign in to Lettermill with this address.',
    button: 'Sign in',
    url,
    ends: 'The link works once, within 30 minutes.',
  };
  const store = await prepareConsoleMail(await contextOf(core, { projectId, testMode: false }), mail).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'send_failed') return null;
    throw error;
  });
  if (!store) return false;
  return inTransaction(async (session) => {
    await storeLink(session);
    return (await store(session)).isSent;
  });
}
