import { readAudit } from '../../../../src/records/audit';
import { aMember, operate } from '../../../support/calls/member-browsers';
import { CONSOLE_ORIGIN } from '../../../support/calls/console-browser';
import { ssoCalls, ssoSettings } from '../../../support/calls/single-sign-on';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import { anOpenIdProvider } from '../../../support/servers/openid-provider';

const provider = anOpenIdProvider(CONSOLE_ORIGIN);
const ROLES = 'mail-admins=admin,cn=mail=marketer,everyone=analyst,chiefs=owner';
const app = aProject(() => ({ config: { ...ssoSettings(provider), OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: ROLES } }));
const { signIn, account, me, person } = ssoCalls(
  () => app,
  () => provider,
);
// The API's first project is the one whose roles the provider gives.
const membersOf = async (projectId: string) => (await stored.projects.get(projectId)).members ?? [];

describe('the role follows the claims', () => {
  test('a person who is not known joins with the highest role, and the audit says how', async () => {
    account('new', { name: 'New Person', groups: ['everyone', 'cn=mail', 'something'] });
    const signedIn = await me(await signIn('new'));
    expect(signedIn).toMatchObject({ grant: 'marketer', name: 'New Person', projectId: app.keys.projectId });
    const [, change] = await readAudit({ projectId: app.keys.projectId, limit: 2, before: null });
    expect(change).toMatchObject({
      by: `person ${signedIn.personId}`,
      action: 'member.join',
      reason: 'single sign-on: marketer',
    });
  });

  test('a changed claim changes the role at the next sign-in', async () => {
    account('risen', { groups: ['everyone'] });
    expect(await me(await signIn('risen'))).toMatchObject({ grant: 'analyst' });
    account('risen', { groups: ['mail-admins'] });
    expect(await me(await signIn('risen'))).toMatchObject({ grant: 'admin' });
  });

  test('a role that is gone at the provider ends the membership with its sessions', async () => {
    account('gone', { groups: ['mail-admins'] });
    const before = await signIn('gone');
    account('gone', { groups: ['something'] });
    expect(await signIn('gone')).toEqual({ refused: 'no-access', browser: null });
    await before.browser?.ask('get', '/v1/contacts').expect(401);
    const row = await person('gone@example.com');
    expect((await membersOf(app.keys.projectId)).map(({ personId }) => personId)).not.toContain(row?._id);
    account('gone', { groups: ['everyone'] });
    expect(await me(await signIn('gone'))).toMatchObject({ grant: 'analyst', personId: row?._id });
  });

  test('a member of another project alone signs in there, with the role that was given there', async () => {
    await operate(app, 'members', 'add', app.otherKeys.projectId, 'elsewhere@example.com', 'approver');
    account('elsewhere', { groups: [] });
    expect(await me(await signIn('elsewhere'))).toMatchObject({ grant: 'approver', projectId: app.otherKeys.projectId });
  });
});

test('the last owner is neither demoted nor removed by claims; the last but one is', async () => {
  await aMember(app, 'last@example.com', 'owner');
  for (const groups of [['everyone'], []]) {
    account('last', { groups });
    expect(await me(await signIn('last'))).toMatchObject({ grant: 'owner' });
  }
  account('chief', { groups: ['chiefs'] });
  expect(await me(await signIn('chief'))).toMatchObject({ grant: 'owner' });
  account('last', { groups: ['everyone'] });
  expect(await me(await signIn('last'))).toMatchObject({ grant: 'analyst' });
});
