import request from 'supertest';
import { approvalCalls } from '../../../support/calls/approvals';
import { erasureCalls } from '../../../support/calls/erasures';
import { carryOut } from '../../../support/calls/imports';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const { ask, get, decide, turn, keyOf } = approvalCalls(() => app);
const { remove, erase } = erasureCalls(() => app);

let person: string;
beforeAll(async () => {
  person = await keyOf();
});

const HOUR = 3_600_000;

/** Requests something that names people. Resolves to the approval. */
async function asked(operation: string, parameters: object) {
  const { body } = await ask({ operation, parameters }).expect(201);
  return body.data as Awaited<ReturnType<typeof get>>;
}

/** Has it approved, and carried out by two workers at the same time. */
async function approved(approvalId: string): Promise<unknown> {
  await decide(approvalId, 'approve', person).expect(200);
  await Promise.all([turn(approvalId), turn(approvalId)]);
  const { state, result } = await get(approvalId);
  return [state, result?.code ?? null];
}

const message = (to: string, more: object = {}) => ({ to, subject: 'Your order', text: `Hello ${to}`, from: 'shop@hello.test', ...more });
const mailTo = (to: string): Promise<number> => stored.emails.count({ projectId: app.keys.projectId, to });

describe('a batch', () => {
  test('shows its first recipients, a subject and a text, and goes out once it is approved, once', async () => {
    const file = { filename: 'a.txt', content: Buffer.from('A file').toString('base64') };
    const messages = [
      message('ada@example.com', { attachments: [file], variables: { plan: { seats: [1] } } }),
      message('bob@example.com', { subject: 'Another' }),
    ];
    const approval = await asked('sendBatch', { messages });
    expect(approval).toMatchObject({
      state: 'pending',
      parameters: {},
      summary: {
        text: 'Sends 2 messages to 2 recipients at once.',
        subject: 'Your order (and 1 other subject)',
        recipients: 2,
        first: ['ada@example.com', 'bob@example.com'],
        excerpt: 'Hello ada@example.com',
      },
    });
    expect(await mailTo('ada@example.com')).toBe(0);
    const list = (await app.api().get('/v1/approvals?limit=1').expect(200)).body.data;
    expect(list).toEqual([approval]);
    expect(await approved(approval.approvalId)).toEqual(['executed', null]);
    expect(await turn(approval.approvalId)).toEqual({ state: 'executed', waitMs: null });
    expect([await mailTo('ada@example.com'), await mailTo('bob@example.com')]).toEqual([1, 1]);
    const [mail] = await stored.emails.all({ to: 'ada@example.com' });
    expect(mail?.attachments).toMatchObject([{ filename: 'a.txt', size: 6 }]);
  });

  test('is forgotten once it is over: the approval names nobody any more', async () => {
    const { approvalId } = await asked('sendBatch', { messages: [message('gone@example.com')] });
    await decide(approvalId, 'reject', person).expect(200);
    await turn(approvalId);
    expect(JSON.stringify(await get(approvalId))).not.toContain('gone@');
    expect(await stored.approvalPayloads.count({ _id: approvalId })).toBe(0);
    expect(JSON.stringify(await stored.approvals.all({ _id: approvalId }))).not.toContain('gone@');
  });

  test('with a message that would fail is refused, as a whole', async () => {
    const messages = [message('ada@example.com'), message('bob@example.com', { from: 'us@elsewhere.test' })];
    await ask({ operation: 'sendBatch', parameters: { messages } }).expect(422);
    const broken = await ask({ operation: 'sendBatch', parameters: { messages: [message('ada@example.com', { text: '{{#if' })] } }).expect(
      422,
    );
    expect(broken.body.details).toMatchObject([{ path: 'parameters.messages.0.text', code: 'invalid_template' }]);
  });

  test('is void once its template has changed', async () => {
    const template = { name: 'Order', subject: 'Yours', body: '<p>Hi</p>', fromEmail: 'shop@hello.test' };
    const { body } = await app.api().post('/v1/templates').send(template).expect(201);
    const templateId = body.data.templateId as string;
    const { approvalId, summary } = await asked('sendBatch', { messages: [{ to: 'eve@example.com', templateId }] });
    expect(summary).toMatchObject({ subject: 'Yours', excerpt: 'Hi' });
    await app.api().patch(`/v1/templates/${templateId}`).send({ body: '<p>Pills</p>' }).expect(200);
    expect(await approved(approvalId)).toEqual(['void', 'changed']);
    expect(await mailTo('eve@example.com')).toBe(0);
  });

  test('that is carried out twice does not undo messages that are accepted at the same time', async () => {
    const { approvalId } = await asked('sendBatch', { messages: [message('peggy@example.com')] });
    let isOver = false;
    const carriedOut = approved(approvalId).finally(() => (isOver = true));
    const send = async (n: number): Promise<void> => {
      while (!isOver)
        await app
          .api()
          .post('/v1/send')
          .send(message(`ada${n}@example.com`))
          .expect(200);
    };
    const [outcome] = await Promise.all([carriedOut, ...Array.from({ length: 20 }, (_, n) => send(n))]);
    expect([outcome, await mailTo('peggy@example.com')]).toEqual([['executed', null], 1]);
  });

  test('that was stored otherwise than it was requested is void', async () => {
    const { approvalId } = await asked('sendBatch', { messages: [message('mallory@example.com')] });
    const other = await asked('sendBatch', { messages: [message('trent@example.com')] });
    const [{ content } = { content: null }] = await stored.approvalPayloads.all({ _id: other.approvalId });
    await stored.approvalPayloads.change(approvalId, { $set: { content } });
    expect(await approved(approvalId)).toEqual(['void', 'changed']);
    expect(await mailTo('trent@example.com')).toBe(0);
  });

  test('for later expires with the first of its instants', async () => {
    const sendAt = new Date(Date.now() + 2 * HOUR).toISOString();
    const { body } = await ask({ operation: 'sendBatch', parameters: { messages: [message('late@example.com', { sendAt })] } }).expect(201);
    expect(body.data.expiresAt).toBe(sendAt);
    expect(body.data.summary.text).toBe(`Sends 1 message to 1 recipient, the first at ${sendAt}.`);
  });

  test('is void once a person that it names is erased', async () => {
    await app.api().post('/v1/contacts').send({ email: 'erased@example.com' }).expect(201);
    const { approvalId } = await asked('sendBatch', { messages: [message('other@example.com'), message('erased@example.com')] });
    await remove('erased@example.com');
    await erase('erased@example.com');
    expect(await get(approvalId)).toMatchObject({ state: 'void', result: { code: 'changed' } });
    expect(await stored.approvalPayloads.count({ _id: approvalId })).toBe(0);
    await decide(approvalId, 'approve', person).expect(409);
  });

  test('is on the page of its link, escaped', async () => {
    const { approvalId } = await asked('sendBatch', { messages: [message('ada@example.com', { text: '<b>Hi</b>' })] });
    const { body } = await app.api(person).post(`/v1/approvals/${approvalId}/link`).send({}).expect(200);
    const { text } = await request(app.url)
      .get((body.data.url as string).slice(app.core.config.PUBLIC_URL.length))
      .expect(200);
    for (const shown of ['Sends 1 message to 1 recipient at once.', 'Subject: Your order', 'To: ada@example.com', '&lt;b&gt;Hi&lt;/b&gt;'])
      expect(text).toContain(shown);
  });
});

describe('the removal of a suppression', () => {
  const suppressed = async (email: string): Promise<boolean> =>
    (
      await app
        .api()
        .get(`/v1/suppressions/${encodeURIComponent(email)}`)
        .expect(200)
    ).body.data.suppressed as boolean;

  test('says whose and why, and is done once it is approved', async () => {
    await app.api().post('/v1/suppressions').send({ email: 'away@example.com', reason: 'hard_bounce' }).expect(201);
    const approval = await asked('deleteSuppression', { id: 'away@example.com' });
    expect(approval.summary).toEqual({
      text: 'Removes a suppression that is due to a hard bounce: the address gets all mail again.',
      subject: null,
      recipients: null,
      first: ['away@example.com'],
      excerpt: null,
    });
    expect(approval['parameters']).toEqual({ id: expect.stringMatching(/^sup_/) });
    expect(await suppressed('away@example.com')).toBe(true);
    expect(await approved(approval.approvalId)).toEqual(['executed', null]);
    expect(await suppressed('away@example.com')).toBe(false);
  });

  test('is void once the address complained too, and not requested for one that is not suppressed', async () => {
    const complaint = { email: 'cross@example.com', reason: 'unsubscribe' };
    await app.api().post('/v1/suppressions').send(complaint).expect(201);
    const { approvalId } = await asked('deleteSuppression', { id: 'cross@example.com' });
    await app
      .api()
      .post('/v1/suppressions')
      .send({ ...complaint, reason: 'complaint' })
      .expect(201);
    expect(await approved(approvalId)).toEqual(['void', 'changed']);
    expect(await suppressed('cross@example.com')).toBe(true);
    const { body } = await ask({ operation: 'deleteSuppression', parameters: { id: 'nobody@example.com' } }).expect(422);
    expect(body.details).toMatchObject([{ path: 'parameters.id', code: 'not_found' }]);
  });
});

describe('an import', () => {
  const FILE = 'email,firstName\nnew@example.com,Nora\nold@example.com,Otto\nnew@example.com,Norma\nnobody,None\n';
  const jobs = (): Promise<number> => stored.imports.count({ projectId: app.keys.projectId });
  const fileOf = async (approvalId: string): Promise<string> =>
    ((await stored.approvals.get(approvalId)).request as { readonly job: { readonly _id: string } }).job._id;

  test('says how many and whether automations start, and begins once it is approved, once', async () => {
    const before = await jobs();
    const approval = await asked('importContacts', { file: FILE, trigger: true });
    expect(approval).toMatchObject({
      parameters: { trigger: true },
      summary: {
        text: 'Imports 2 contacts from a file. Active automations enroll them as if they came one by one. 1 row cannot be used.',
        recipients: 2,
        first: ['new@example.com', 'old@example.com'],
      },
    });
    expect(await jobs()).toBe(before);
    expect(await approved(approval.approvalId)).toEqual(['executed', null]);
    expect(await jobs()).toBe(before + 1);
    const importId = await fileOf(approval.approvalId);
    expect(await stored.imports.get(importId)).toMatchObject({ enrols: true });
    await carryOut(importId, app.keys.projectId);
    expect((await app.api().get(`/v1/contacts/import/${importId}`).expect(200)).body.data).toMatchObject({
      status: 'completed',
      created: 2,
      skipped: 1,
      failed: 1,
    });
  });

  test('that is rejected leaves nothing of its file', async () => {
    const { approvalId } = await asked('importContacts', { file: FILE });
    const pieces = { _id: new RegExp(`^${await fileOf(approvalId)}:`) };
    expect(await stored.importPieces.count(pieces)).toBe(1);
    await decide(approvalId, 'reject', person).expect(200);
    await turn(approvalId);
    expect(await stored.importPieces.count(pieces)).toBe(0);
    expect(JSON.stringify(await stored.approvals.get(approvalId))).not.toContain('new@');
  });

  test('of a file that is changed meanwhile is void', async () => {
    const { approvalId } = await asked('importContacts', { file: FILE });
    const content = Buffer.from(FILE.replace('old@example.com', 'bad@example.com'));
    await stored.importPieces.change(`${await fileOf(approvalId)}:000000`, { $set: { content } });
    expect(await approved(approvalId)).toEqual(['void', 'changed']);
  });

  test.each([
    ['no address column', 'name\nNora\n'],
    ['too many rows', `email\n${Array.from({ length: 10_001 }, (_, index) => `a${index}@example.com\n`).join('')}`],
  ])('with %s is refused', async (_what, file) => {
    const { body } = await ask({ operation: 'importContacts', parameters: { file } }).expect(422);
    expect(body.details).toMatchObject([{ path: 'parameters.file' }]);
  });
});
