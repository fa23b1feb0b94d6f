import { aMember } from '../../../support/calls/member-browsers';
import { CONSOLE_ORIGIN } from '../../../support/calls/console-browser';
import { ssoCalls, ssoSettings } from '../../../support/calls/single-sign-on';
import { aProject } from '../../../support/platform/app';
import { PersonModel } from '../../../../src/records/members/model';
import { anOpenIdProvider } from '../../../support/servers/openid-provider';

const provider = anOpenIdProvider(CONSOLE_ORIGIN);
const app = aProject(() => ({ config: { ...ssoSettings(provider), OIDC_DEFAULT_ROLE: 'analyst' } }));
const { signIn, account, me, person } = ssoCalls(
  () => app,
  () => provider,
);

test('anyone whom the provider vouches for joins with the default role; an owner changes it, and it stays', async () => {
  account('guest');
  const { personId, grant } = await me(await signIn('guest'));
  expect(grant).toBe('analyst');
  await app.api().patch(`/v1/members/${personId}`).send({ role: 'marketer' }).expect(200);
  expect(await me(await signIn('guest'))).toMatchObject({ personId, grant: 'marketer' });
});

test('a person whom an owner has removed does not come back by signing in', async () => {
  account('removed');
  const { personId } = await me(await signIn('removed'));
  await app.api().delete(`/v1/members/${personId}`).expect(200);
  expect(await signIn('removed')).toEqual({ refused: 'no-access', browser: null });
});

test('an address that the provider does not vouch for makes no person', async () => {
  account('squatter', { email_verified: false });
  expect(await signIn('squatter')).toEqual({ refused: 'unverified', browser: null });
  expect(await person('squatter@example.com')).toBeNull();
});

test('a member keeps the role that was given by hand', async () => {
  const { personId } = await aMember(app, 'founder@example.com', 'owner');
  account('founder');
  expect(await me(await signIn('founder'))).toMatchObject({ personId, grant: 'owner' });
});

test('two sign-ins at once make one person', async () => {
  account('twice');
  const during: Awaited<ReturnType<typeof signIn>>[] = [];
  // The other sign-in links the identity after this one has looked for it, and before it looks for the address.
  const look = jest.spyOn(PersonModel, 'findOne').mockReturnValueOnce({
    lean: async () => {
      during.push(await signIn('twice'));
      return null;
    },
  } as never);
  const last = await signIn('twice');
  look.mockRestore();
  const [one, two] = await Promise.all([...during, last].map(me));
  expect(one.personId).toBe(two.personId);
});
