import { roleIn } from '../../../../src/records/single-sign-on/place';

const OIDC_ROLES = [
  ['chiefs', 'owner'],
  ['mail', 'marketer'],
  ['staff', 'analyst'],
] as [string, 'owner' | 'marketer' | 'analyst'][];
const settings = (OIDC_ROLE_CLAIM: string) => ({ OIDC_ROLES, OIDC_ROLE_CLAIM, OIDC_DEFAULT_ROLE: undefined });

test.each([
  ['a list', 'groups', { groups: ['staff', 'mail'] }, 'marketer'],
  ['a text', 'role', { role: 'chiefs' }, 'owner'],
  ['a path', 'realm_access.roles', { realm_access: { roles: ['mail'] } }, 'marketer'],
  ['a name with dots', 'https://example.com/roles', { 'https://example.com/roles': ['staff'] }, 'analyst'],
  ['a longer text', 'role', { role: 'staff mail' }, null],
  ['a member of every object', 'constructor.name', {}, null],
  ['values that are no texts', 'groups', { groups: [1, null, { staff: true }] }, null],
  ['none', 'groups', {}, null],
])('the role of %s', (_what, claim, claims, role) => {
  expect(roleIn(settings(claim), claims)).toBe(role);
});

test('the default is for those without a role', () => {
  const withDefault = { ...settings('groups'), OIDC_DEFAULT_ROLE: 'approver' as const };
  expect(roleIn(withDefault, {})).toBe('approver');
  expect(roleIn(withDefault, { groups: ['staff'] })).toBe('analyst');
});
