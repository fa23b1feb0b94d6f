import { runOn } from '../../../../src/marketing/automations/advance';
import { setReputation } from '../../../../src/records/projects/service';
import { aProject } from '../../../support/platform/app';
import { activate, chain, contact, drive, edge, enrol, node, play, runOf, send } from '../../../support/calls/automations';
import { storePeople } from '../../../support/data/people';
import { stored } from '../../../support/data/stored';

const app = aProject({
  config: {
    DEV_VERIFIED_DOMAINS: 'hello.test',
    WEBHOOK_ALLOW_INSECURE: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_TIMEOUT_SECONDS: '1',
  },
});

const always = { reentry: 'always' };

describe('send_email', () => {
  test('accepts a message of the workflow, after transactional mail, with what placeholders see', async () => {
    const mail = send('mail', {
      subject: '{{firstName}}: {{event.plan | "none"}} in {{workflow.name}}',
      body: '<p>{{event.order.total}} {{colour}} {{workflow.workflowId}}</p>',
      fromName: 'The News',
      previewText: 'For {{firstName}}',
      replyTo: 'reply@hello.test',
      type: 'marketing',
      variables: { colour: 'red', event: 'not this' },
    });
    const id = await activate(app, chain(mail));
    const contactId = await contact(app, { firstName: 'Ada' });
    const executionId = await enrol(app, id, contactId, { data: { plan: 'pro', order: { total: 12 } } });
    await drive(app.core, app.keys.projectId, executionId);
    const run = await runOf(app, executionId);
    expect(run).toMatchObject({ status: 'completed', currentNodeId: null, error: null, finishedAt: expect.any(String) });
    expect(run.steps).toEqual([
      expect.objectContaining({ nodeId: 'start', type: 'trigger', status: 'completed', output: null }),
      {
        nodeId: 'mail',
        type: 'send_email',
        status: 'completed',
        branch: null,
        output: { emailId: expect.stringMatching(/^em_[0-9a-z]{26}$/) },
        error: null,
        startedAt: expect.any(String),
        finishedAt: expect.any(String),
      },
    ]);
    const emailId = run.steps[1]?.output?.['emailId'] as string;
    const { body } = await app.api().get(`/v1/emails/${emailId}`).expect(200);
    expect(body.data).toMatchObject({
      subject: 'Ada: pro in Welcome',
      body: expect.stringContaining(`<p>12 red ${id}</p>`),
      source: 'workflow',
      workflowId: id,
      contactId,
      type: 'marketing',
      status: 'queued',
      replyTo: 'reply@hello.test',
      testMode: false,
    });
    expect(body.data.body).toMatch(/For Ada[\s\S]*\/u\//);
    expect(await stored.emails.one(emailId)).toMatchObject({
      priority: 1,
      nodeId: 'mail',
      depth: 1,
      messageId: `<${emailId}@hello.test>`,
    });
    expect(await stored.events.one({ emailId, name: 'email.queued' })).toMatchObject({ depth: 1, contactId });
    const usage = (await app.api().get('/v1/billing').expect(200)).body.data;
    expect(usage.categories.workflow.used).toBeGreaterThan(0);
  });

  test('sends a stored template as it is by then', async () => {
    const template = { name: 'T', type: 'marketing', subject: 'Old', body: '<p>Old</p>', fromEmail: 'news@hello.test' };
    const templateId = (await app.api().post('/v1/templates').send(template).expect(201)).body.data.templateId as string;
    const id = await activate(app, chain(node('mail', 'send_email', { templateId })));
    await app.api().patch(`/v1/templates/${templateId}`).send({ subject: 'New {{firstName}}' }).expect(200);
    const run = await play(app, id, await contact(app, { firstName: 'Ada' }));
    const { body } = await app
      .api()
      .get(`/v1/emails/${run.steps[1]?.output?.['emailId'] as string}`)
      .expect(200);
    expect(body.data).toMatchObject({ subject: 'New Ada', type: 'marketing', templateId });
  });

  test('a message that must not be sent is skipped with its reason, and the execution goes on', async () => {
    const id = await activate(app, chain(send('mail', { type: 'marketing' }), node('end', 'exit')), always);
    const skippedFor = async (contactId: string): Promise<unknown> => {
      const { status, steps } = await play(app, id, contactId);
      expect(status).toBe('exited');
      return [steps[1]?.status, steps[1]?.output];
    };
    expect(await skippedFor(await contact(app, { subscribed: false }))).toEqual(['skipped', { skipped: 'unsubscribed' }]);
    await app.api().post('/v1/suppressions').send({ email: 'blocked@example.com' }).expect(201);
    expect(await skippedFor(await contact(app, { email: 'blocked@example.com' }))).toEqual(['skipped', { skipped: 'suppressed' }]);
    await app.api().patch('/v1/billing').send({ monthlyLimitWorkflow: 0 }).expect(200);
    expect(await skippedFor(await contact(app))).toEqual(['skipped', { skipped: 'limit_reached' }]);
    await app.api().patch('/v1/billing').send({ monthlyLimitWorkflow: null }).expect(200);
    const well = { state: 'ok', reason: null, resetAt: null } as const;
    const paused = { ...well, state: 'paused' } as const;
    await setReputation(app.keys.projectId, paused, well);
    expect(await skippedFor(await contact(app))).toEqual(['skipped', { skipped: 'reputation_paused' }]);
    await setReputation(app.keys.projectId, well, paused);
  });

  test('with three left, ten executions at once send three', async () => {
    const used = (await app.api().get('/v1/billing')).body.data.categories.workflow.used as number;
    await app
      .api()
      .patch('/v1/billing')
      .send({ monthlyLimitWorkflow: used + 3 })
      .expect(200);
    const id = await activate(app, chain(send('mail')), always);
    const contacts = await storePeople(app.keys.projectId, 10);
    const runs = await Promise.all(contacts.map((contactId) => play(app, id, contactId)));
    await app.api().patch('/v1/billing').send({ monthlyLimitWorkflow: null }).expect(200);
    expect(runs.map(({ steps }) => steps[1]?.status).sort()).toEqual([
      ...Array<string>(3).fill('completed'),
      ...Array<string>(7).fill('skipped'),
    ]);
    expect(await stored.emails.count({ workflowId: id })).toBe(3);
  });

  test('what can never be sent ends the execution', async () => {
    const graph = chain(send('mail', { fromEmail: 'a@unverified.test' }), send('next'));
    const id = await activate(app, graph, {}, app.keys.test);
    const run = await play(app, id, await contact(app));
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('not verified'), currentNodeId: null });
    expect(run.steps[1]).toMatchObject({ nodeId: 'mail', status: 'failed', error: run.error });
    expect(run.steps).toHaveLength(2);
  });

  test('the same activity again, at once or later, sends nothing twice', async () => {
    const id = await activate(app, chain(send('mail'), node('w', 'delay', { amount: 1, unit: 'hours' })));
    const executionId = await enrol(app, id, await contact(app));
    const input = { executionId, projectId: app.keys.projectId, now: Date.now() };
    await Promise.all(Array.from({ length: 12 }, () => runOn(app.core, input, 'run_1')));
    await drive(app.core, app.keys.projectId, executionId);
    expect(await stored.emails.count({ workflowId: id })).toBe(1);
    expect((await runOf(app, executionId)).steps.map(({ nodeId }) => nodeId)).toEqual(['start', 'mail', 'w']);
  });

  test('in test mode it is logged as sent, and costs nothing', async () => {
    const id = await activate(app, chain(send('mail')));
    const before = (await app.api().get('/v1/billing')).body.data.used as number;
    const executionId = await enrol(app, id, await contact(app), {}, app.keys.test);
    await drive(app.core, app.keys.projectId, executionId);
    const email = await stored.emails.one({ workflowId: id });
    expect(email).toMatchObject({ status: 'sent', testMode: true });
    expect((await app.api().get('/v1/billing')).body.data.used).toBe(before);
  });
});

describe('branches', () => {
  test('condition asks about the contact, its events and the trigger', async () => {
    const both = {
      logic: 'and',
      groups: [
        {
          filters: [
            { field: 'data.plan', operator: 'equals', value: 'pro' },
            { field: 'trigger.total', operator: 'greaterThan', value: 10 },
            { field: 'event.order.placed', operator: 'triggered' },
          ],
        },
      ],
    };
    const graph = {
      nodes: [
        node('start', 'trigger'),
        node('q', 'condition', { conditions: both }),
        node('y', 'exit', { reason: 'yes' }),
        node('n', 'exit', { reason: 'no' }),
      ],
      edges: [edge('start', 'q'), edge('q', 'y', 'yes'), edge('q', 'n', 'no')],
    };
    const id = await activate(app, graph, always);
    const contactId = await contact(app, { data: { plan: 'pro' } });
    expect(await play(app, id, contactId, { data: { total: 11 } })).toMatchObject({ status: 'exited', exitReason: 'no' });
    await app.api().post('/v1/events').send({ name: 'order.placed', contactId }).expect(201);
    expect(await play(app, id, contactId, { data: { total: 11 } })).toMatchObject({
      exitReason: 'yes',
      steps: [{}, { branch: 'yes' }, {}],
    });
    expect(await play(app, id, contactId, { data: { total: 9 } })).toMatchObject({ exitReason: 'no' });
  });

  test('switch takes the first case that holds, or the default', async () => {
    const cases = [
      { branch: 'some', operator: 'exists' },
      { branch: 'pro', operator: 'equals', value: 'pro' },
    ];
    const graph = {
      nodes: [node('start', 'trigger'), node('s', 'switch', { field: 'data.plan', cases })],
      edges: [edge('start', 's')],
    };
    const id = await activate(app, graph, always);
    expect((await play(app, id, await contact(app, { data: { plan: 'pro' } }))).steps[1]).toMatchObject({ branch: 'some' });
    expect((await play(app, id, await contact(app))).steps[1]).toMatchObject({ branch: 'default' });
  });
});
