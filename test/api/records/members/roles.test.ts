import { readAudit } from '../../../../src/records/audit';
import { MEMBER_ROLES } from '../../../../src/rules/roles';
import type { MemberRole } from '../../../../src/records/projects/model';
import { aMember, operate, tokenIn } from '../../../support/calls/member-browsers';
import { CONSOLE_ORIGIN, ConsoleBrowser } from '../../../support/calls/console-browser';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import { newProject } from '../../../support/data/projects';

const app = aProject({ config: { PUBLIC_URL: CONSOLE_ORIGIN, DEV_VERIFIED_DOMAINS: 'hello.test' } });

const CONTACT = { email: 'someone@example.com' };
const HOOK = { url: 'https://example.com/hook', events: ['*'] };

const audit = async () => (await readAudit({ projectId: app.keys.projectId, limit: 1, before: null }))[0];

describe('the role of a person says what the person may do', () => {
  const statuses = async (role: MemberRole) => {
    const { browser } = await aMember(app, `${role}@example.com`, role);
    const asked = [
      browser.ask('get', '/v1/contacts'),
      browser.ask('post', '/v1/contacts').send(CONTACT),
      browser.ask('post', '/v1/campaigns').send({}),
      browser.ask('post', '/v1/blocks').send({}),
      browser.ask('put', '/v1/translations').send({}),
      browser.ask('post', '/v1/approvals/apr_none/approve').send({}),
      browser.ask('post', '/v1/webhooks').send(HOOK),
      browser.ask('post', '/v1/keys').send({ kind: 'secret' }),
      browser.ask('patch', '/v1/settings').send({ name: 'Renamed' }),
      browser.ask('patch', '/console/person').send({ name: role }),
    ];
    const all = [];
    for (const each of asked) all.push((await each).status);
    return all.map((status) => status !== 403);
  };

  test.each<[MemberRole, string]>([
    [
      'owner',
      'read contacts, change contacts, write campaigns, write blocks, translate, approve, add webhooks, create keys, change settings, own name',
    ],
    [
      'admin',
      'read contacts, change contacts, write campaigns, write blocks, translate, approve, add webhooks, create keys, change settings, own name',
    ],
    ['marketer', 'read contacts, change contacts, write campaigns, write blocks, translate, own name'],
    ['analyst', 'read contacts, own name'],
    ['approver', 'read contacts, approve, own name'],
  ])('%s: %s', async (role, may) => {
    const names = [
      'read contacts',
      'change contacts',
      'write campaigns',
      'write blocks',
      'translate',
      'approve',
      'add webhooks',
      'create keys',
      'change settings',
      'own name',
    ];
    const opened = await statuses(role);
    expect(names.filter((_, at) => opened[at]).join(', ')).toBe(may);
  });

  test('a refusal names the role, and the roles that may', async () => {
    const { browser } = await aMember(app, 'reader@example.com', 'analyst');
    const { body } = await browser.ask('post', '/v1/webhooks').send(HOOK).expect(403);
    expect(body).toMatchObject({
      code: 'forbidden',
      error: 'Your role in this project is analyst; createWebhook needs the role owner or admin',
    });
  });

  test('the reference lists the roles of each operation', async () => {
    const { body } = await app.api().get('/v1/openapi.json').expect(200);
    expect(body.paths['/v1/contacts'].get['x-roles']).toEqual([...MEMBER_ROLES]);
    expect(body.paths['/v1/contacts'].post['x-roles']).toEqual(['owner', 'admin', 'marketer']);
    expect(body.paths['/v1/approvals/{id}/approve'].post['x-roles']).toEqual(['owner', 'admin', 'approver']);
  });
});

describe('a change of a member', () => {
  test('counts at the next request of the same session', async () => {
    const owner = await aMember(app, 'first@example.com', 'owner');
    const other = await aMember(app, 'second@example.com', 'marketer');
    await other.browser
      .ask('post', '/v1/contacts')
      .send(CONTACT)
      .expect(({ status }) => expect(status).toBeLessThan(300));
    await owner.browser.ask('patch', `/v1/members/${other.personId}`).send({ role: 'analyst' }).expect(200);
    await other.browser.ask('post', '/v1/contacts').send(CONTACT).expect(403);
    await owner.browser.ask('delete', `/v1/members/${other.personId}`).expect(200);
    await other.browser.ask('get', '/v1/contacts').expect(401);
  });

  test('is written down with the person who made it', async () => {
    const owner = await aMember(app, 'third@example.com', 'owner');
    const other = await aMember(app, 'fourth@example.com', 'marketer');
    await owner.browser.ask('patch', `/v1/members/${other.personId}`).send({ role: 'admin' }).expect(200);
    expect(await audit()).toMatchObject({
      by: `person ${owner.personId}`,
      action: 'member.update',
      subject: other.personId,
      reason: 'admin',
    });
  });

  test('by an admin or a key of full scope makes, changes and removes no owner', async () => {
    const { projectId, secret } = await newProject('Ranks');
    const owner = await aMember(app, 'rank1@example.com', 'owner', projectId);
    await aMember(app, 'rank2@example.com', 'owner', projectId);
    const admin = await aMember(app, 'rank3@example.com', 'admin', projectId);
    const marketer = await aMember(app, 'rank4@example.com', 'marketer', projectId);
    const byAdmin = admin.browser;
    await byAdmin.ask('patch', `/v1/members/${owner.personId}`).send({ role: 'admin' }).expect(403);
    await byAdmin.ask('delete', `/v1/members/${owner.personId}`).expect(403);
    await byAdmin.ask('patch', `/v1/members/${admin.personId}`).send({ role: 'owner' }).expect(403);
    await app.api(secret).patch(`/v1/members/${admin.personId}`).send({ role: 'owner' }).expect(403);
    await app.api(secret).patch(`/v1/members/${marketer.personId}`).send({ role: 'analyst' }).expect(200);
    expect((await byAdmin.ask('delete', `/v1/members/${marketer.personId}`)).status).toBe(200);
  });

  test('by a test key is refused', async () => {
    const { personId } = await aMember(app, 'tested@example.com', 'analyst');
    expect((await app.api(app.keys.test).patch(`/v1/members/${personId}`).send({ role: 'admin' })).status).toBe(403);
  });

  test('reaches no member of another project', async () => {
    const { personId } = await aMember(app, 'mine@example.com', 'analyst');
    await app.api(app.otherKeys.secret).patch(`/v1/members/${personId}`).send({ role: 'admin' }).expect(404);
    expect((await app.api(app.otherKeys.secret).delete(`/v1/members/${personId}`)).status).toBe(404);
  });
});

describe('the last owner', () => {
  test('is neither demoted nor removed, by anyone', async () => {
    const { projectId } = await newProject('Alone');
    const { personId, browser } = await aMember(app, 'alone@example.com', 'owner', projectId);
    const demoted = await browser.ask('patch', `/v1/members/${personId}`).send({ role: 'admin' }).expect(409);
    expect(demoted.body).toMatchObject({ code: 'invalid_state', error: expect.stringContaining('last owner') });
    await browser.ask('delete', `/v1/members/${personId}`).expect(409);
    await expect(operate(app, 'members', 'remove', projectId, 'alone@example.com')).rejects.toMatchObject({ code: 'invalid_state' });
    await browser.ask('patch', `/v1/members/${personId}`).send({ role: 'owner' }).expect(200);
  });

  test('remains of two who remove each other at once', async () => {
    const { projectId } = await newProject('Duel');
    for (let round = 0; round < 5; round++) {
      const one = await aMember(app, 'duel1@example.com', 'owner', projectId);
      const two = await aMember(app, 'duel2@example.com', 'owner', projectId);
      const asked = [
        one.browser.ask('delete', `/v1/members/${two.personId}`),
        round % 2 === 0
          ? two.browser.ask('delete', `/v1/members/${one.personId}`)
          : two.browser.ask('patch', `/v1/members/${one.personId}`).send({ role: 'analyst' }),
      ];
      await Promise.all(asked.map((each) => each.then(({ status }) => status)));
      const left = await operate<readonly { role: MemberRole }[]>(app, 'members', 'list', projectId);
      expect(left.filter(({ role }) => role === 'owner')).toHaveLength(1);
    }
  });
});

describe('a person', () => {
  test('has one address, in whichever case it is given, and as many projects as there are', async () => {
    const { projectId, ...rest } = await newProject('Second project');
    expect(rest.secret).toMatch(/^sk_/);
    const { personId } = await aMember(app, 'Both@Example.com', 'analyst');
    const again = await aMember(app, 'both@example.com', 'owner', projectId);
    expect(again.personId).toBe(personId);
    const { body } = await again.browser.ask('get', '/v1/me').expect(200);
    expect(body.data).toMatchObject({ grant: 'owner', projectId, personId, address: 'both@example.com' });
    expect(body.data.projects).toMatchObject([{ role: 'analyst' }, { role: 'owner' }]);
  });

  test('is known for as long as the audit may name the person, once in no project', async () => {
    const { personId } = await aMember(app, 'leaving@example.com', 'analyst');
    await operate(app, 'members', 'remove', app.keys.projectId, 'leaving@example.com');
    expect(await stored.persons.one({ _id: personId })).toMatchObject({ leftAt: expect.any(Date) });
    await aMember(app, 'leaving@example.com', 'marketer');
    expect(await stored.persons.one({ _id: personId })).toMatchObject({ leftAt: null });
  });

  test('keys and operators have no person', async () => {
    const { body } = await app.api().get('/v1/me').expect(200);
    expect(body.data).toEqual({ grant: 'full', projectId: app.keys.projectId, personId: null, address: null, name: null, projects: [] });
    const { url } = await operate<{ url: string }>(app, 'console-link', app.keys.projectId);
    const browser = new ConsoleBrowser(app.url);
    await browser.signIn({ link: tokenIn(url) });
    await browser.ask('patch', '/console/person').send({ name: 'Operator' }).expect(403);
    await browser.ask('get', '/console/sessions').expect(403);
    await browser.ask('delete', '/console/sessions').expect(403);
  });
});

test('the list of members goes by their joining, in pages too', async () => {
  const { projectId, secret } = await newProject('Listed');
  for (const [address, role] of [
    ['l1@example.com', 'owner'],
    ['l2@example.com', 'admin'],
    ['l3@example.com', 'analyst'],
  ] as const)
    await aMember(app, address, role, projectId);
  const { body } = await app.api(secret).get('/v1/members').expect(200);
  expect(body.data.data).toEqual([
    { personId: expect.stringMatching(/^prs_/), address: 'l1@example.com', name: null, role: 'owner', since: expect.any(String) },
    expect.objectContaining({ address: 'l2@example.com', role: 'admin' }),
    expect.objectContaining({ address: 'l3@example.com', role: 'analyst' }),
  ]);
  const first = await app.api(secret).get('/v1/members?limit=2').expect(200);
  const rest = await app.api(secret).get(`/v1/members?limit=2&cursor=${first.body.nextCursor}`).expect(200);
  expect(rest.body.data.data).toMatchObject([{ address: 'l3@example.com' }]);
});
