import { readAudit } from '../../../../src/records/audit';
import { aMember, mailedToken, operate } from '../../../support/calls/member-browsers';
import { CONSOLE_ORIGIN, ConsoleBrowser } from '../../../support/calls/console-browser';
import { newProject } from '../../../support/data/projects';
import { stored } from '../../../support/data/stored';
import { eventually } from '../../../support/platform/platform';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { PUBLIC_URL: CONSOLE_ORIGIN, DEV_VERIFIED_DOMAINS: 'hello.test' } });

const invite = (address: string, role = 'marketer') => app.api().post('/v1/invitations').send({ address, role });
const accept = async (token: string | null) => {
  const browser = new ConsoleBrowser(app.url);
  const { status, body } = await browser.signIn({ invitation: token ?? '' });
  return { status, body, browser };
};

describe('an invitation', () => {
  test('is mailed, and makes whoever opens its link a member with the role that was given', async () => {
    const { body } = await invite('Guest@Example.com').expect(201);
    expect(body.data).toEqual({
      invitationId: expect.stringMatching(/^inv_/),
      address: 'guest@example.com',
      role: 'marketer',
      invitedBy: `key ${app.keys.secret.slice(0, 15)}`,
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    const { status, browser } = await accept(await mailedToken('guest@example.com'));
    expect(status).toBe(200);
    const me = await browser.ask('get', '/v1/me').expect(200);
    expect(me.body.data).toMatchObject({ address: 'guest@example.com', grant: 'marketer', projectId: app.keys.projectId });
    const { body: waiting } = await app.api().get('/v1/invitations').expect(200);
    expect(waiting.data.data).toEqual([]);
  });

  test('has its token in the message alone: neither the API nor the mail log shows it', async () => {
    const answer = await invite('secret@example.com').expect(201);
    const token = (await mailedToken('secret@example.com')) ?? '';
    expect(token).toMatch(/^[0-9a-z]{52}$/);
    const mail = await stored.emails.get({ to: 'secret@example.com' });
    const list = await app.api().get('/v1/invitations').expect(200);
    const shown = await app.api().get(`/v1/emails/${mail._id}`).expect(200);
    expect(shown.body.data.body).toContain('/console/#invitation&#x3D;…');
    expect(shown.body.data.text).toContain('/console/#invitation=…');
    expect(JSON.stringify([answer.body, list.body, shown.body, await stored.invitations.all()])).not.toContain(token);
  });

  test('is good once', async () => {
    await invite('single@example.com').expect(201);
    const token = await mailedToken('single@example.com');
    const answers = await Promise.all([accept(token), accept(token), accept(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['withdrawn', (id) => app.api().delete(`/v1/invitations/${id}`).expect(200)],
    ['over after a week', () => stored.invitations.changeAll({}, { expiresAt: new Date(Date.now() - 1) })],
    ['replaced by another one to the address', () => invite('gone@example.com', 'analyst').expect(201)],
  ])('leads nowhere once it is %s', async (_, end) => {
    const { body } = await invite('gone@example.com').expect(201);
    const token = await mailedToken('gone@example.com');
    await end(body.data.invitationId as string);
    const { status, body: refused } = await accept(token);
    expect([status, refused.code]).toEqual([401, 'unauthorized']);
  });

  test('ends when its person joins in another way, and when the person is removed', async () => {
    await invite('joined@example.com', 'admin').expect(201);
    const token = await mailedToken('joined@example.com');
    const { personId } = await aMember(app, 'joined@example.com', 'analyst');
    expect((await accept(token)).status).toBe(401);
    // As an invitation that is sent while the person joins.
    const _id = 'inv_meanwhile';
    const row = {
      projectId: app.keys.projectId,
      address: 'joined@example.com',
      role: 'admin' as const,
      invitedBy: 'somebody',
      createdAt: new Date(),
    };
    await stored.invitations.make([{ _id, token: '-', ...row, expiresAt: new Date(Date.now() + 60_000) }]);
    await app.api().delete(`/v1/members/${personId}`).expect(200);
    expect(await stored.invitations.count({ address: 'joined@example.com' })).toBe(0);
  });

  test('adds a project to a person who has others', async () => {
    const { personId } = await aMember(app, 'known@example.com', 'owner', app.otherKeys.projectId);
    await invite('known@example.com').expect(201);
    const { browser } = await accept(await mailedToken('known@example.com'));
    const { body } = await browser.ask('get', '/v1/me').expect(200);
    expect(body.data).toMatchObject({ personId, grant: 'marketer' });
    expect(body.data.projects).toHaveLength(2);
  });

  test('of a member, by a role that may not, or of an owner by no owner is refused', async () => {
    const admin = await aMember(app, 'admin@example.com', 'admin');
    const marketer = await aMember(app, 'marketer@example.com', 'marketer');
    await invite('admin@example.com').expect(409);
    await invite('new@example.com', 'owner').expect(403);
    await admin.browser.ask('post', '/v1/invitations').send({ address: 'new@example.com', role: 'owner' }).expect(403);
    await marketer.browser.ask('post', '/v1/invitations').send({ address: 'new@example.com', role: 'analyst' }).expect(403);
    await app.api(app.keys.test).post('/v1/invitations').send({ address: 'new@example.com', role: 'analyst' }).expect(403);
    await invite('no address').expect(422);
    expect(await mailedToken('new@example.com')).toBeNull();
  });

  test('to a suppressed address is refused, and nothing is stored', async () => {
    await app.api().post('/v1/suppressions').send({ email: 'blocked@example.com', reason: 'manual' }).expect(201);
    const { body } = await invite('blocked@example.com').expect(409);
    expect(body.code).toBe('invalid_state');
    expect(await stored.invitations.count({ address: 'blocked@example.com' })).toBe(0);
  });

  test('is withdrawn by its own project alone', async () => {
    const { body } = await invite('ours@example.com').expect(201);
    const { status } = await app.api(app.otherKeys.secret).delete(`/v1/invitations/${body.data.invitationId}`);
    expect(status).toBe(404);
  });

  test('is in the audit with its inviter and the person who joined', async () => {
    const owner = await aMember(app, 'inviter@example.com', 'owner');
    const { body } = await owner.browser.ask('post', '/v1/invitations').send({ address: 'joins@example.com', role: 'analyst' }).expect(201);
    await accept(await mailedToken('joins@example.com'));
    const entries = await readAudit({ projectId: app.keys.projectId, limit: 3, before: null });
    const { _id: personId } = await stored.persons.get({ address: 'joins@example.com' });
    expect(entries.reverse().map(({ by, action, subject }) => [by, action, subject])).toEqual([
      [`person ${owner.personId}`, 'invitation.create', body.data.invitationId],
      [`person ${personId}`, 'member.join', personId],
      [`person ${personId}`, 'console.sign-in', expect.stringMatching(/^ses_/)],
    ]);
  });
});

describe('a link by mail', () => {
  const ask = (address: string) => new ConsoleBrowser(app.url).ask('post', '/console/session/link').send({ address });

  test('signs a member in, and its token is not in the mail log', async () => {
    const { personId } = await aMember(app, 'mailed@example.com', 'analyst');
    await ask(' Mailed@Example.com ').expect(200);
    const token = await eventually('the link is mailed', () => mailedToken('mailed@example.com'));
    const mail = await stored.emails.get({ to: 'mailed@example.com' });
    const { body } = await app.api().get(`/v1/emails/${mail._id}`).expect(200);
    expect(body.data.body).toContain('/console/#link&#x3D;…');
    const browser = new ConsoleBrowser(app.url);
    expect((await browser.signIn({ link: token })).status).toBe(200);
    expect((await browser.ask('get', '/v1/me')).body.data).toMatchObject({ personId });
  });

  test('has the same answer for an address that nobody has', async () => {
    await aMember(app, 'somebody@example.com', 'analyst');
    const [known, unknown] = [await ask('somebody@example.com'), await ask('nobody@example.com')];
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    await eventually('the link is mailed', () => mailedToken('somebody@example.com'));
    expect(await mailedToken('nobody@example.com')).toBeNull();
  });

  test('is asked for five times for an address, known or not, and no more', async () => {
    for (const address of ['often@example.com', 'stranger@example.com']) {
      for (let times = 0; times < 5; times++) await ask(address).expect(200);
      const { body, headers } = await ask(address).expect(429);
      expect([body.code, Number(headers['retry-after']) > 0]).toEqual(['rate_limited', true]);
    }
  });

  test('is not asked for by another site, nor without an address', async () => {
    await ask('no address').expect(422);
    const forged = new ConsoleBrowser(app.url).ask('post', '/console/session/link', { Origin: 'https://evil.example' });
    expect((await forged.send({ address: 'somebody@example.com' })).status).toBe(403);
  });

  test('comes from another project of the person where the first cannot send', async () => {
    const { projectId } = await newProject('Disabled');
    await aMember(app, 'elsewhere@example.com', 'analyst', projectId);
    await aMember(app, 'elsewhere@example.com', 'analyst');
    await operate(app, 'projects', 'disable', projectId);
    await ask('elsewhere@example.com').expect(200);
    const token = await eventually('the link is mailed', () => mailedToken('elsewhere@example.com'));
    expect((await new ConsoleBrowser(app.url).signIn({ link: token })).status).toBe(200);
  });
});
