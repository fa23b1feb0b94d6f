import { AppError } from '../../platform/core';
import type { Core } from '../../platform/core';
import { normalizeAddress } from '../../platform/addresses';
import { noteChange } from '../audit';
import { endSessionsOfPerson } from '../console-sessions';
import { findPersonAt, joinUnlessMember, linkIdentity, personOfIdentity, projectsOf, removeMember } from '../members';
import type { Identity, Joining, Person } from '../members';
import { byPerson, changeRole, findProject, firstProjectId, getProject, memberOf } from '../projects';
import type { MemberRole } from '../projects';
import type { Claims, SsoRefusal } from './attempts';
import type { Config } from '../../platform/config';
import { MEMBER_ROLES } from '../../rules/roles';

/** The person whom the provider vouches for, and the project to begin with. */
export interface Place {
  readonly personId: string;
  readonly projectId: string;
}

const BY_PROVIDER = 'single sign-on';
const OWNER = { isOwner: true };

/** Writes down what a sign-in has changed. */
const note = (core: Core, { personId, projectId }: Place, action: string, reason: string): Promise<void> =>
  noteChange(core, { projectId, by: byPerson(personId), action, subject: personId, reason });

/** Returns the address of a person if the provider vouches for it. */
function verifiedAddress({ all }: Claims): string | null {
  const { email, email_verified: isVerified } = all;
  return typeof email === 'string' && isVerified === true ? normalizeAddress(email.trim()) : null;
}

function nameIn({ all: { name } }: Claims): string | null {
  const text = typeof name === 'string' ? name.trim() : '';
  return text !== '' && text.length <= 200 ? text : null;
}

/** Resolves to the project whose members the provider brings. */
async function ownProject({ config, log }: Core): Promise<string | null> {
  const id = config.OIDC_PROJECT ?? (await firstProjectId());
  const project = id === null ? null : await findProject(id);
  if (!project) log.error({ projectId: id }, 'The project of OIDC_PROJECT does not exist');
  return project && !project.removedAt ? project._id : null;
}

/**
 * Resolves to the person who has signed in with the provider, with the role that the claims give. An identity is the issuer with its subject. An address links
 * the identity to a person once, if the provider vouches for it and the person has no other identity.
 */
export async function placeOf(core: Core, claims: Claims): Promise<Place | SsoRefusal> {
  const identity = { issuer: claims.issuer, subject: claims.subject };
  const projectId = await ownProject(core);
  const role = roleIn(core.config, claims.all);
  const known = await personOfIdentity(identity);
  const joining = projectId === null || role === null ? null : { projectId, role, name: nameIn(claims) };
  const person = known ?? (await linked(core, identity, verifiedAddress(claims), joining));
  if (typeof person === 'string') return person;
  if (projectId !== null && providerDecides(core.config)) await keepRole(core, projectId, person, role);
  const projects = await projectsOf(person._id);
  const first = projects.find((project) => project.projectId === projectId) ?? projects[0];
  return first ? { personId: person._id, projectId: first.projectId } : 'no-access';
}

/** The project and role that somebody gets at the first sign-in. */
interface FirstPlace extends Pick<Joining, 'role' | 'name'> {
  readonly projectId: string;
}

/** Links the identity to the person with the verified address. Without a person, there has to be a place for one. */
async function linked(core: Core, identity: Identity, address: string | null, place: FirstPlace | null): Promise<Person | SsoRefusal> {
  if (address === null) return 'unverified';
  const before = await findPersonAt(address);
  // Another sign-in with this identity may have linked it meanwhile.
  if (before?.identity) return (await personOfIdentity(identity)) ?? 'taken';
  if (place) await joined(core, { ...place, address });
  const person = before ?? (await findPersonAt(address));
  if (!person) return 'no-access';
  await linkIdentity(person._id, identity);
  // Of two accounts with one address that come at once, one is linked.
  return (await personOfIdentity(identity)) ?? 'taken';
}

/** Adds a person to the project, unless the person is a member. */
async function joined(core: Core, { projectId, ...joining }: FirstPlace & Joining): Promise<void> {
  const personId = await joinUnlessMember(projectId, joining);
  if (personId !== null) await note(core, { personId, projectId }, 'member.join', `${BY_PROVIDER}: ${joining.role}`);
}

/** Gives a person the role of the claims in the project, or takes it. The last owner stays one. */
async function keepRole(core: Core, projectId: string, person: Person, role: MemberRole | null): Promise<void> {
  const { _id: personId, address, name } = person;
  const current = memberOf(await getProject(projectId), personId)?.role ?? null;
  if (current === role) return;
  if (current === null && role !== null) return joined(core, { projectId, role, address, name });
  const isDone = await unlessLastOwner(() => (role === null ? leave(projectId, personId) : changeRole(projectId, personId, role, OWNER)));
  if (!isDone) return core.log.warn({ personId, projectId, role }, 'The last owner keeps the role, whatever the OpenID provider says');
  await note(core, { personId, projectId }, role === null ? 'member.remove' : 'member.update', `${BY_PROVIDER}: ${role ?? 'no role'}`);
}

/** Changes a member. Resolves to whether it was done: the last owner is not changed. */
async function unlessLastOwner(change: () => Promise<void>): Promise<boolean> {
  try {
    await change();
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_state') return false;
    throw error;
  }
}

/** Removes a person whom the provider gives no role any more. The keys stay: programs use them, and nobody was asked. */
async function leave(projectId: string, personId: string): Promise<void> {
  await removeMember(projectId, { personId, keys: 'keep' }, OWNER);
  await endSessionsOfPerson(personId, projectId);
}

type Settings = Pick<Config, 'OIDC_ROLE_CLAIM' | 'OIDC_ROLES' | 'OIDC_DEFAULT_ROLE'>;
type All = Readonly<Record<string, unknown>>;

/** Returns a claim by its name, or by a path with dots: names of claims are often URLs, so the name comes first. */
function claimAt(all: All, path: string): unknown {
  if (Object.hasOwn(all, path)) return all[path];
  let at: unknown = all;
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as All)[name];
  }
  return at;
}

/** Returns whether the provider decides about roles, also of persons who are members. */
const providerDecides = ({ OIDC_ROLES }: Settings): boolean => OIDC_ROLES !== undefined;

/** Returns the highest role that the claims give, or else the default one; null where a person has none. */
export function roleIn({ OIDC_ROLE_CLAIM: claim, OIDC_ROLES: roles = [], OIDC_DEFAULT_ROLE }: Settings, all: All): MemberRole | null {
  const given = claim === undefined ? [] : [claimAt(all, claim)].flat();
  const has = new Set(roles.filter(([value]) => given.includes(value)).map(([, role]) => role));
  return MEMBER_ROLES.find((role) => has.has(role)) ?? OIDC_DEFAULT_ROLE ?? null;
}
