import { Visitor } from '../support/browser';
import { REFUSAL } from '../support/refusal';
import type { World } from '../support/world';
import { hasCount, hasValue } from '../support/waits';

const MAIL = { subject: 'Sale', body: '<p>Sale</p>', fromEmail: 'hello@hello.test' };
const TREE = { logic: 'and', groups: [{ filters: [{ field: 'email', operator: 'contains', value: '@edits.example' }] }] };

/** Comes back to the page after a while: what it shows is asked for again. */
async function comeBack(visitor: Visitor): Promise<void> {
  await visitor.page.clock.fastForward(61_000);
  await visitor.page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await visitor.loaded();
}

async function arrive({ browser, platform }: World): Promise<Visitor> {
  const visitor = await Visitor.come(browser, platform);
  await visitor.page.clock.install();
  await visitor.signIn();
  return visitor;
}

/** What becomes of a text that somebody writes while something else happens. */
export function editJourneys(world: World): void {
  test('a template that is written stays when a refresh fails, and when somebody else publishes a version', async () => {
    const visitor = await arrive(world);
    const { page } = visitor;
    const { body } = await world.platform.post('/v1/templates', { ...MAIL, name: 'Written by two' });
    const route = `/v1/templates/${body.data.templateId as string}`;
    await page.route('**/v1/settings', (request) => request.fulfill(REFUSAL));
    await visitor.open(`/templates/${body.data.templateId as string}`, 'Written by two');
    const subject = page.getByLabel('Subject', { exact: true });
    await subject.fill('Mine');
    await page.route(`**${route}`, (request) => request.fulfill(REFUSAL));
    await comeBack(visitor);
    await page.getByText('Refreshing it failed: Not at this moment').waitFor();
    expect([await subject.inputValue(), await visitor.hindrances()]).toEqual(['Mine', []]);
    await page.unroute(`**${route}`);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Refreshing it failed').waitFor({ state: 'detached' });

    await world.platform.request('PATCH', route, { subject: 'Theirs', body: '<p>Theirs</p>' });
    await comeBack(visitor);
    await page.getByText('Version 2 was published while you were editing').waitFor();
    await page.frameLocator('iframe.message').getByText('Theirs').waitFor();
    expect([await subject.inputValue(), await visitor.hindrances()]).toEqual(['Mine', []]);
    await page.getByRole('button', { name: 'Publish version 3' }).click();
    await page.getByRole('button', { name: 'Publish version 4' }).waitFor();
    expect(await page.getByText('while you were editing').count()).toBe(0);
    expect((await world.platform.get(route)).body.data).toMatchObject({ version: 3, subject: 'Mine', body: '<p>Theirs</p>' });
    // What is not changed shows the newest version without a word.
    await world.platform.request('PATCH', route, { subject: 'Theirs again' });
    await comeBack(visitor);
    await page.getByRole('button', { name: 'Publish version 5' }).waitFor();
    expect([await subject.inputValue(), await page.getByText('while you were editing').count()]).toEqual(['Theirs again', 0]);
    // What both have changed is published only once that was said.
    await subject.fill('Mine again');
    await world.platform.request('PATCH', route, { subject: 'Theirs at last' });
    await page.getByRole('button', { name: 'Publish version 5' }).click();
    await page.getByText('Version 5 was published while you were editing').waitFor();
    await page.getByRole('button', { name: 'Publish version 6' }).click();
    await page.getByRole('button', { name: 'Publish version 7' }).waitFor();
    expect((await world.platform.get(route)).body.data).toMatchObject({ version: 6, subject: 'Mine again' });
    expect(await visitor.misdeeds()).toEqual([]);
    await visitor.leave();
  });

  test('two people who edit different fields keep what the other has saved', async () => {
    const { page } = world.visitor;
    const consentText = 'I agree.';
    for (const [kind, id, given, theirs, seen] of [
      ['campaigns', 'campaignId', MAIL, { previewText: 'Seen' }, 'Preview text'],
      ['segments', 'segmentId', { type: 'dynamic', conditions: TREE }, { description: 'Seen' }, 'Description'],
      ['forms', 'formId', { consentText }, { consentText: 'Seen' }, 'Consent text'],
    ] as const) {
      const { body } = await world.platform.post(`/v1/${kind}`, { ...given, name: 'Before' });
      const own = body.data[id] as string;
      const patch = (change: object) => world.platform.request('PATCH', `/v1/${kind}/${own}`, change);
      await world.visitor.open(`/${kind}/${own}`, 'Before');
      await patch(theirs);
      await page.getByRole('link', { name: 'Edit', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Edit Before' }).waitFor();
      expect([kind, await page.getByLabel(seen).inputValue()]).toEqual([kind, 'Seen']);
      const later = Object.fromEntries(Object.keys(theirs).map((member) => [member, 'Later']));
      await patch(later);
      await page.getByLabel('Name', { exact: true }).fill('After');
      await page.getByRole('button', { name: /^Save/ }).first().click();
      await page.getByRole('heading', { level: 1, name: 'After', exact: true }).waitFor();
      expect((await world.platform.get(`/v1/${kind}/${own}`)).body.data).toMatchObject({ name: 'After', ...later });
      await world.platform.request('DELETE', `/v1/${kind}/${own}`);
    }
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('somebody who saves what another person has changed since is asked whose changes stay', async () => {
    const { page } = world.visitor;
    const notice = page.getByText('Somebody else has changed this');
    for (const [screen, path, id, given] of [
      ['automations', 'workflows', 'workflowId', { trigger: 'event:edited' }],
      ['campaigns', 'campaigns', 'campaignId', MAIL],
      ['segments', 'segments', 'segmentId', { type: 'dynamic', conditions: TREE }],
      ['forms', 'forms', 'formId', { consentText: 'I agree.' }],
    ] as const) {
      const { body } = await world.platform.post(`/v1/${path}`, { ...given, name: 'Before' });
      const own = body.data[id] as string;
      const rename = (name: string) => world.platform.request('PATCH', `/v1/${path}/${own}`, { name });
      const name = page.getByLabel('Name', { exact: true });
      const save = page.getByRole('button', { name: /^Save (draft|segment|form)$/ });
      await world.visitor.open(`/${screen}/${own}/edit`, 'Edit Before');
      await rename('Theirs');
      await name.fill('Mine');
      await save.click();
      await notice.waitFor();
      expect([screen, await world.visitor.hindrances()]).toEqual([screen, []]);
      await world.press('Discard my changes');
      await page.getByRole('heading', { level: 1, name: 'Edit Theirs' }).waitFor();
      await hasValue(name, 'Theirs');
      await rename('Theirs again');
      await name.fill('Mine');
      await save.click();
      await notice.waitFor();
      await world.press('Replace their changes');
      await page.getByRole('heading', { level: 1, name: 'Mine', exact: true }).waitFor();
      await world.platform.request('DELETE', `/v1/${path}/${own}`);
    }
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('a draft that somebody has activated since is not changed without a word', async () => {
    const { page } = world.visitor;
    const graph = { nodes: [{ id: 't', type: 'trigger', config: {} }], edges: [] };
    const { body } = await world.platform.post('/v1/workflows', { name: 'Quiet', trigger: 'event:quiet', graph });
    const path = `/v1/workflows/${body.data.workflowId as string}`;
    await world.visitor.open(`/automations/${body.data.workflowId as string}/edit`, 'Edit Quiet');
    await world.platform.request('PATCH', path, { status: 'active' });
    await page.getByLabel('Name', { exact: true }).fill('Loud');
    await world.press('Save draft');
    await page.getByText('Somebody else has changed this').waitFor();
    await world.press('Discard my changes');
    await page.getByRole('button', { name: 'Publish changes' }).waitFor();
    expect((await world.platform.get(path)).body.data).toMatchObject({ name: 'Quiet', status: 'active' });
    await world.platform.request('DELETE', path);
  });

  test('two people who edit one contact keep what the other has saved', async () => {
    const { page } = world.visitor;
    const { body } = await world.platform.post('/v1/contacts', {
      email: 'both@edits.example',
      firstName: 'Bo',
      data: { plan: 'free', seats: 1 },
    });
    const place = `/contacts/${body.data.contactId as string}`;
    await world.visitor.open(place, 'Bo');
    await world.press('Edit');
    await world.dialog.getByLabel('Last name').fill('Mine');
    await world.pressIn('Remove field 2');
    await world.platform.post('/v1/contacts', { email: 'both@edits.example', firstName: 'Theirs', data: { plan: 'team' } });
    await world.pressIn('Save');
    await page.getByRole('heading', { level: 1, name: 'Theirs Mine' }).waitFor();
    expect((await world.platform.get(`/v1${place}`)).body.data.data).toEqual({ plan: 'team' });
    await world.platform.request('DELETE', `/v1${place}`);
  });

  test('translations that are written stay when somebody else saves theirs, which no save overwrites', async () => {
    const visitor = await arrive(world);
    const { page } = visitor;
    const before = (await world.platform.get('/v1/translations')).body.data.translations as object;
    const save = (translations: object) => world.platform.request('PUT', '/v1/translations', { translations });
    const offered = async (text: string): Promise<void> => {
      await page.locator('.line-field', { hasText: 'Subject' }).getByRole('button', { name: 'Insert field' }).click();
      await page.getByRole('button', { name: `Translation: ${text}` }).waitFor();
      await page.keyboard.press('Escape');
    };
    try {
      await save({ farewell: { default: 'Bye' } });
      await visitor.open('/templates/new', 'New template');
      await offered('Bye');
      await save({ farewell: { default: 'See you' } });
      await page.getByRole('link', { name: 'Translations', exact: true }).click();
      const text = page.getByLabel('farewell, default');
      // The form begins with what is stored, not with what was offered elsewhere.
      await text.waitFor();
      await hasValue(text, 'See you');
      await text.fill('Ours');
      await page.getByRole('button', { name: 'Save translations' }).click();
      await visitor.loaded();
      await page.goBack();
      await offered('Ours');
      await page.goForward();
      await text.fill('Mine');
      await save({ farewell: { default: 'Theirs' } });
      await comeBack(visitor);
      await page.getByRole('button', { name: 'Save translations' }).click();
      await page.locator('.fault').waitFor();
      await hasValue(text, 'Mine');
      expect((await world.platform.get('/v1/translations')).body.data.translations).toEqual({ farewell: { default: 'Theirs' } });
    } finally {
      await save(before);
    }
    await visitor.leave();
  });

  test('a translation of a mail is replaced or removed only when that is confirmed', async () => {
    const { page } = world.visitor;
    await world.visitor.open('/templates/new', 'New template');
    const subject = page.getByLabel('Subject', { exact: true });
    const german = page.getByRole('tab', { name: 'German' });
    const add = async (): Promise<void> => {
      await page.getByLabel('Add a language').fill('de');
      await world.press('Add language');
    };
    await subject.fill('Hello');
    await add();
    // A copy of the default is no loss.
    await world.press('Remove language');
    await german.waitFor({ state: 'detached' });
    await add();
    await subject.fill('Hallo');
    await world.press('Copy from default');
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.pressIn('Go back');
    await hasValue(subject, 'Hallo');
    await world.press('Copy from default');
    await world.pressIn('Copy from default');
    await world.dialog.waitFor({ state: 'detached' });
    await hasValue(subject, 'Hello');
    await subject.fill('Hallo');
    await world.press('Remove language');
    await world.pressIn('Go back');
    await hasCount(german, 1);
    await world.press('Remove language');
    await world.pressIn('Remove language');
    await german.waitFor({ state: 'detached' });
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('a step that switches to a template and back has the mail that was written, and saves only one of the two', async () => {
    const { page } = world.visitor;
    const variants = { de: { subject: 'Angebote', body: '<p>Angebote</p>' } };
    const nodes = [
      { id: 't', type: 'trigger', config: {} },
      { id: 's', type: 'send_email', name: 'Offer', config: { ...MAIL, type: 'marketing', variants, variables: { code: 'A1' } } },
      { id: 'd', type: 'delay', name: 'A day', config: { amount: 1, unit: 'days' } },
    ];
    const edges = [
      { from: 't', to: 's' },
      { from: 's', to: 'd' },
    ];
    const { body } = await world.platform.post('/v1/workflows', { name: 'Switching', trigger: 'event:switching', graph: { nodes, edges } });
    const id = body.data.workflowId as string;
    await world.visitor.open(`/automations/${id}/edit`, 'Edit Switching');
    const choose = (step: string): Promise<void> => page.locator('.step', { hasText: step }).click();
    const content = page.getByRole('combobox', { name: 'Content' });
    await choose('Offer');
    await page.getByLabel('Subject', { exact: true }).fill('Offers');
    await content.selectOption('Use a template');
    const code = page.getByRole('group', { name: 'Placeholder values' }).getByLabel('Value');
    await code.fill('B2');
    await choose('A day');
    await choose('Offer');
    await content.selectOption('Write here');
    await hasValue(page.getByLabel('Subject', { exact: true }), 'Offers');
    await world.press('Edit message');
    await world.dialog.getByRole('tab', { name: 'German' }).click();
    await hasValue(world.dialog.getByLabel('Subject', { exact: true }), 'Angebote');
    await world.pressIn('Done');
    await hasValue(code, 'B2');
    await content.selectOption('Use a template');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('heading', { level: 1, name: 'Switching', exact: true }).waitFor();
    const kept = (await world.platform.get(`/v1/workflows/${id}`)).body.data.graph.nodes as { id: string; config: object }[];
    expect(kept.find((node) => node.id === 's')?.config).toEqual({ templateId: '', variables: { code: 'B2' } });
    expect(await world.visitor.misdeeds()).toEqual([]);
  });
}
