import type { Config } from '../../platform/config';
import { MEMBER_ROLES } from '../../rules/roles';
import type { MemberRole } from '../../rules/roles';

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
export const providerDecides = ({ OIDC_ROLES }: Settings): boolean => OIDC_ROLES !== undefined;

/** Returns the highest role that the claims give, or else the default one; null where a person has none. */
export function roleIn({ OIDC_ROLE_CLAIM: claim, OIDC_ROLES: roles = [], OIDC_DEFAULT_ROLE }: Settings, all: All): MemberRole | null {
  const given = claim === undefined ? [] : [claimAt(all, claim)].flat();
  const has = new Set(roles.filter(([value]) => given.includes(value)).map(([, role]) => role));
  return MEMBER_ROLES.find((role) => has.has(role)) ?? OIDC_DEFAULT_ROLE ?? null;
}
