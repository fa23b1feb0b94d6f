import { z } from 'zod';
import { MEMBER_ROLES } from '../../rules/roles';

/** A value of the claim, and the role that it gives. The last `=` divides them: names of groups may have others. */
const ROLE_OF_VALUE = /^(.+)=([a-z]+)$/;

const role = z.enum(MEMBER_ROLES, `must be one of ${MEMBER_ROLES.join(', ')}`);

const roleList = z.string().transform((list, ctx) => {
  const pairs: (readonly [string, z.infer<typeof role>])[] = [];
  for (const entry of list.split(',')) {
    const [, value = '', name] = ROLE_OF_VALUE.exec(entry.trim()) ?? [];
    const given = role.safeParse(name);
    if (!given.success) ctx.addIssue(`must be value=role,... with the roles ${MEMBER_ROLES.join(', ')}; not ${entry.trim() || 'nothing'}`);
    else pairs.push([value.trim(), given.data]);
  }
  return pairs;
});

/** With its slash at the end, if it has one: providers compare the whole text. */
const issuer = z.url({ protocol: /^https?$/ });

const oneLine = (most: number) =>
  z.string().regex(new RegExp(`^[^\\p{Cc}]{1,${most}}$`, 'u'), `must be one line of 1 to ${most} characters`);

/** Settings of the provider that persons sign in with. */
export const signInSettings = {
  OIDC_ISSUER: issuer.optional().describe('issuer of the OpenID provider that persons sign in with; off without it (docs/members.md)'),
  OIDC_CLIENT_ID: oneLine(500).optional().describe('client that the provider knows Lettermill by'),
  OIDC_CLIENT_SECRET: oneLine(1_000).optional().describe('its secret'),
  OIDC_LABEL: oneLine(60).default('single sign-on').describe('name of the provider on the button: “Sign in with …”'),
  OIDC_SCOPES: oneLine(500).default('openid email profile').describe('scopes that are requested, with spaces'),
  OIDC_ROLE_CLAIM: oneLine(500).optional().describe('claim with groups or roles, or a path with dots; needs OIDC_ROLES'),
  OIDC_ROLES: roleList.optional().describe('value=role,...: the role of each value of the claim; the highest one counts'),
  OIDC_DEFAULT_ROLE: role.optional().describe('role of persons without such a value who sign in; otherwise nobody joins by signing in'),
  OIDC_PROJECT: z
    .string()
    .regex(/^prj_\w+$/, 'must be the id of a project')
    .optional()
    .describe('project that the roles are for; default the first one'),
};

interface Given {
  readonly OIDC_ISSUER?: string | undefined;
  readonly OIDC_SCOPES: string;
}

/** `http` is for a provider on this machine. */
const isLocal = (url: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);

/** Settings that need another one of these. */
export const SIGN_IN_NEEDS = [
  ['OIDC_CLIENT_ID', 'OIDC_ISSUER'],
  ['OIDC_CLIENT_SECRET', 'OIDC_ISSUER'],
  ['OIDC_ROLE_CLAIM', 'OIDC_ISSUER'],
  ['OIDC_ROLES', 'OIDC_ISSUER'],
  ['OIDC_DEFAULT_ROLE', 'OIDC_ISSUER'],
  ['OIDC_PROJECT', 'OIDC_ISSUER'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_SECRET'],
  ['OIDC_ROLE_CLAIM', 'OIDC_ROLES'],
  ['OIDC_ROLES', 'OIDC_ROLE_CLAIM'],
] as const;

/** Returns why nobody can sign in with what is given of these settings, a sentence each. */
export function signInFaults(config: Given): readonly string[] {
  const { OIDC_ISSUER: given } = config;
  return [
    ...(given !== undefined && given.startsWith('http:') && !isLocal(given)
      ? ['OIDC_ISSUER must be https://, except on this machine']
      : []),
    ...(config.OIDC_SCOPES.split(' ').includes('openid') ? [] : ['OIDC_SCOPES must contain openid']),
  ];
}
