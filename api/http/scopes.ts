import { DECIDING_ROLES, MEMBER_ROLES } from '../../src/rules/roles';
import type { Grant, KeyScope, MemberRole } from '../../src/records/projects';
import type { Endpoint } from './endpoint';

type Opened = Pick<Endpoint, 'method' | 'path' | 'access'>;

/** Returns the scopes of secret and test keys that open an operation. */
export const scopesOf = ({ method, access }: Pick<Endpoint, 'method' | 'access'>): readonly KeyScope[] => [
  'full',
  ...(access === 'sending' || access === 'any' ? (['sending'] as const) : []),
  ...((method === 'get' && access !== 'managers') || access === 'any' ? (['read'] as const) : []),
];

/** Returns whether there is a scope that does not open it. */
export const refusesScopes = ({ method, access }: Pick<Endpoint, 'method' | 'access'>): boolean =>
  access !== 'any' && !(access === 'sending' && method === 'get');

/** Scopes of the keys that a role makes: a key opens no more than its maker's role. Owners and admins make every key. */
const KEYS_OF_ROLES: Readonly<Partial<Record<MemberRole, readonly KeyScope[]>>> = {
  marketer: ['sending', 'read'],
  analyst: ['read'],
  approver: ['read'],
};

/** Returns the scopes that a caller may give to a key; null for all of them. */
export const scopesForKeys = (grant: Grant | null): readonly KeyScope[] | null =>
  grant !== null && isRole(grant) ? (KEYS_OF_ROLES[grant] ?? null) : null;

/** `own`: what belongs to the caller, such as a name. `decide`: to approve or reject what somebody else requested. `manage`: what only owners and admins see. */
type Verb = 'own' | 'read' | 'decide' | 'change' | 'manage';

const DECIDES = /^\/v1\/approvals\/\{id\}\/(?:approve|reject|link)$/;

/** Keys of one's own: the operations themselves bound them by the role. */
const OWN_KEYS = /^(?:post \/v1\/keys|delete \/v1\/keys\/\{id\})$/;

function verbOf({ method, path, access }: Opened): Verb {
  if (access === 'any' || OWN_KEYS.test(`${method} ${path}`)) return 'own';
  if (access === 'managers') return 'manage';
  if (method === 'get') return 'read';
  return DECIDES.test(path) ? 'decide' : 'change';
}

/** Returns the resource that a path of `/v1` begins with; the empty text for every other path, which no role names. */
const resourceOf = ({ path }: Opened): string => (path.startsWith('/v1/') ? (path.split('/')[2] ?? '') : '');

/** The resources that marketers work on. Everything else, such as keys, domains, webhooks, billing and members, is for owners and admins. */
const OF_MARKETERS: ReadonlySet<string> = new Set([
  'send',
  'emails',
  'events',
  'contacts',
  'segments',
  'topics',
  'forms',
  'suppressions',
  'verify',
  'templates',
  'blocks',
  'translations',
  'files',
  'campaigns',
  'workflows',
  'approvals',
]);

const changesNothing = (verb: Verb): boolean => verb === 'own' || verb === 'read';

/** The rights of each role, apart from decisions. That only owners make, change and remove owners is up to the service: it depends on whom. */
const RULES: Readonly<Record<MemberRole, (verb: Verb, resource: string) => boolean>> = {
  owner: () => true,
  admin: () => true,
  marketer: (verb, resource) => changesNothing(verb) || (verb === 'change' && OF_MARKETERS.has(resource)),
  analyst: changesNothing,
  approver: changesNothing,
};

/** Returns the roles of persons that open an operation. */
export function rolesOf(endpoint: Opened): readonly MemberRole[] {
  const verb = verbOf(endpoint);
  return verb === 'decide' ? DECIDING_ROLES : MEMBER_ROLES.filter((role) => RULES[role](verb, resourceOf(endpoint)));
}

/** Returns whether a caller has a role, and no scope. */
export const isRole = (grant: Grant): grant is MemberRole => Object.hasOwn(RULES, grant);

/** Returns whether the scope of a key or the role of a person opens an operation. */
export const opens = (grant: Grant, endpoint: Opened): boolean =>
  isRole(grant) ? rolesOf(endpoint).includes(grant) : scopesOf(endpoint).includes(grant);
