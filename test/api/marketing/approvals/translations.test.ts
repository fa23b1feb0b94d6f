import { approvalCalls } from '../../../support/calls/approvals';
import { chain, node } from '../../../support/calls/automations';
import { campaignCalls } from '../../../support/calls/campaigns';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const { draft, contact } = campaignCalls(() => app);
const { ask, get, decide, turn, keyOf } = approvalCalls(() => app);

const before = { offer: { default: 'Ten percent off', de: 'Zehn Prozent' }, other: { default: 'Hello' } };
const after = { ...before, offer: { ...before.offer, de: 'Alles umsonst' } };
const translate = (translations: object) => app.api().put('/v1/translations').send({ translations }).expect(200);

const VOID = ['void', 'changed', 'A segment, a template or a translation that it uses has changed. Request a new approval'];
const SHOWN = '{{t "offer"}}';
const message = { subject: 'News', fromEmail: 'team@hello.test', body: '<p>News</p>' };
const german = { subject: 'Neues', body: '<p>Neues</p>' };

let person: string;
beforeAll(async () => {
  person = await keyOf();
  await contact('ada@example.com');
});
beforeEach(() => translate(before));

/** Has a translation change between the approval and what was approved. Resolves to how the approval ended. */
async function ended(operation: string, parameters: object): Promise<unknown> {
  const { body } = await ask({ operation, parameters }).expect(201);
  const id = body.data.approvalId as string;
  await decide(id, 'approve', person).expect(200);
  await translate(after);
  await turn(id);
  const { state, result } = await get(id);
  return [state, result?.code, result?.message];
}

const launched = async (fields: object): Promise<unknown> => ended('sendCampaign', { id: (await draft(fields)).campaignId });

async function activated(config: Readonly<Record<string, unknown>>): Promise<unknown> {
  const graph = chain(node('mail', 'send_email', config), node('end', 'exit'));
  const { body } = await app.api().post('/v1/workflows').send({ name: 'Welcome', trigger: 'event:signed.up', graph }).expect(201);
  return ended('updateWorkflow', { id: body.data.workflowId as string, status: 'active' });
}

test.each<[string, object]>([
  ['body', { body: `<p>${SHOWN}</p>` }],
  ['subject', { subject: SHOWN }],
  ['preview text', { previewText: SHOWN }],
  ['second subject', { abSubjectB: SHOWN, abSamplePct: 20 }],
  ['variant', { variants: { de: { ...german, body: `<p>${SHOWN}</p>` } } }],
])('an approval is void once a translation has changed that a campaign shows in its %s', async (_where, fields) => {
  expect(await launched(fields)).toEqual(VOID);
});

test('or that an automation shows, in a message or its template', async () => {
  expect(await activated({ ...message, variants: { de: { ...german, subject: SHOWN } } })).toEqual(VOID);
  await translate(before);
  const template = { ...message, name: 'Offer', body: `<p>${SHOWN}</p>` };
  const { body } = await app.api().post('/v1/templates').send(template).expect(201);
  expect(await activated({ templateId: body.data.templateId as string })).toEqual(VOID);
});

test('and not once another translation has changed', async () => {
  const body = '<p>{{t "other"}}</p>';
  expect(await launched({ body })).toEqual(['executed', null, 'Done']);
  await translate(before);
  expect(await activated({ ...message, body })).toEqual(['executed', null, 'Done']);
});
