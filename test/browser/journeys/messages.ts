import { Visitor } from '../support/browser';
import type { World } from '../support/world';

const LARGE = { width: 1_440, height: 900 };
const SMALL = { width: 360, height: 740 };

const heading = (text: string) => ({ version: 1, blocks: [{ kind: 'heading', id: 'a', level: 1, spans: [{ text }] }] });

interface Content {
  readonly body: string;
  readonly bodyBlocks: object;
}

/** Mail in several languages, and in the steps of automations. */
export function messageJourneys(world: World): void {
  const page = () => world.visitor.page;
  const editor = () => page().getByRole('dialog', { name: 'Design the mail' });
  const headline = () =>
    editor()
      .getByRole('group', { name: /^Heading/ })
      .getByRole('textbox');

  async function designed(text: string): Promise<Content> {
    const { body } = await world.platform.post('/v1/templates/render-blocks', { bodyBlocks: heading(text) });
    return { body: body.data.body as string, bodyBlocks: heading(text) };
  }

  async function created(name: string, content: object): Promise<string> {
    const { body } = await world.platform.post('/v1/templates', { name, subject: 'Hello', fromEmail: 'hello@hello.test', ...content });
    return body.data.templateId as string;
  }

  const stored = async (templateId: string) => (await world.platform.get(`/v1/templates/${templateId}`)).body.data;

  test('a language begins with the blocks of the default, is designed apart from it, and stays HTML if blocks did not make it', async () => {
    await page().setViewportSize(LARGE);
    const variants = { fr: { subject: 'Bonjour', body: '<p>Bonjour</p>' } };
    const templateId = await created('In blocks', { ...(await designed('Hello')), variants });
    await world.visitor.open(`/templates/${templateId}`, 'In blocks');
    await page().getByLabel('Add a language').fill('de');
    await world.press('Add language');
    await page().getByLabel('Subject', { exact: true }).fill('Hallo');
    await world.press('Edit design');
    await headline().fill('Guten Tag');
    await editor().getByRole('button', { name: 'Preview' }).click();
    await page().frameLocator('iframe[title="Preview of the mail"]').getByRole('heading', { name: 'Guten Tag' }).waitFor();
    await editor().getByRole('button', { name: 'Done' }).click();
    await page().getByRole('button', { name: 'Edit design' }).and(page().locator(':focus')).waitFor();
    await page().frameLocator('iframe.message').getByRole('heading', { name: 'Guten Tag' }).waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    await page().getByRole('tab', { name: 'French' }).click();
    expect(await page().getByLabel('HTML', { exact: true }).inputValue()).toBe('<p>Bonjour</p>');
    // What replaces it begins with the default as well.
    await page().getByRole('button', { name: 'Blocks', exact: true }).click();
    await world.pressIn('Replace the HTML');
    await page().frameLocator('iframe.message').getByRole('heading', { name: 'Hello' }).waitFor();
    await world.press('Publish version 2');
    await page().getByRole('button', { name: 'Publish version 3' }).waitFor();
    const kept = await stored(templateId);
    const german = { ...heading('Guten Tag'), lang: 'de' };
    expect(kept).toMatchObject({ ...(await designed('Hello')), variants: { de: { subject: 'Hallo', bodyBlocks: german } } });
    expect(kept.variants.de.body).toMatch(/<html lang="de".*Guten Tag<\/h1>/s);
    expect(kept.variants.fr.body).toMatch(/<html lang="fr".*Hello<\/h1>/s);
    await page().getByText('Compare with version 2').first().click();
    await page().locator('details[open]').getByText('Language: German').first().waitFor();
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('two people who write different languages at the same time keep what the other has saved', async () => {
    const other = await Visitor.come(world.browser, world.platform);
    await other.signIn();
    const texts = { de: { subject: 'Hallo', body: '<p>Hallo</p>' }, fr: { subject: 'Bonjour', body: '<p>Bonjour</p>' } };
    const es = { subject: 'Hola', body: '<p>Hola</p>' };
    const variants = { ...texts, es };
    const mail = { name: 'By two', subject: 'Hello', body: '<p>Hello</p>', fromEmail: 'hello@hello.test', variants };
    const templateId = await created('By two', mail);
    const { body } = await world.platform.post('/v1/campaigns', mail);
    const campaignId = body.data.campaignId as string;
    for (const [place, save, title] of [
      [`/templates/${templateId}`, /^Publish version/, 'By two'],
      [`/campaigns/${campaignId}/edit`, 'Save draft', 'Edit By two'],
    ] as const) {
      const people = [
        [world.visitor, 'German', 'Servus'],
        [other, 'French', 'Salut'],
      ] as const;
      for (const [visitor, language, subject] of people) {
        await visitor.open(place, title);
        await visitor.page.getByRole('tab', { name: language }).click();
        await visitor.page.getByLabel('Subject', { exact: true }).fill(subject);
      }
      // One of them removes a third language, too.
      await other.page.getByRole('tab', { name: 'Spanish' }).click();
      await other.page.getByRole('button', { name: 'Remove language' }).click();
      await other.page.getByRole('dialog').getByRole('button', { name: 'Remove language' }).click();
      for (const [visitor] of people) {
        const saved = visitor.page.waitForResponse((response) => response.request().method() === 'PATCH');
        await visitor.page.getByRole('button', { name: save }).click();
        expect((await saved).status()).toBe(200);
      }
      const { body: kept } = await world.platform.get(`/v1${place.replace('/edit', '')}`);
      expect(kept.data.variants).toEqual({ de: { ...texts.de, subject: 'Servus' }, fr: { ...texts.fr, subject: 'Salut' } });
    }
    expect([await world.visitor.misdeeds(), await other.misdeeds()]).toEqual([[], []]);
    await other.leave();
  });

  test('the message of a step is written over the whole page, next to its preview, and tried out before it is saved', async () => {
    await page().setViewportSize(LARGE);
    const message = { subject: 'Offer', body: '<p>Offer {{code}}</p>', fromEmail: 'hello@hello.test', type: 'marketing' };
    const nodes = [
      { id: 't', type: 'trigger', config: {} },
      { id: 's', type: 'send_email', name: 'Offer', config: { ...message, variables: { code: 'A1' } } },
    ];
    const graph = { nodes, edges: [{ from: 't', to: 's' }] };
    const { body } = await world.platform.post('/v1/workflows', { name: 'Offers', trigger: 'event:offered', graph });
    const id = body.data.workflowId as string;
    await world.visitor.open(`/automations/${id}/edit`, 'Edit Offers');
    await page().locator('.step', { hasText: 'Offer' }).click();
    await world.press('Edit message');
    const writing = page().getByRole('dialog', { name: 'Write the message' });
    const preview = page().frameLocator('iframe[title="Message preview"]');
    await preview.getByText('Offer A1').waitFor();
    await writing.getByLabel('HTML', { exact: true }).fill('<p>Your code: {{code}}</p>');
    await writing.getByLabel('Preview text').fill('For you');
    await preview.getByText('Your code: A1').waitFor();
    await writing.getByText('Subject Offer – For you').waitFor();
    for (const size of [SMALL, LARGE]) {
      await page().setViewportSize(size);
      await writing.getByRole('button', { name: 'Dark' }).click();
      expect([size, await world.visitor.hindrances(), await world.visitor.overflows()]).toEqual([size, [], false]);
      await writing.getByRole('button', { name: 'Phone' }).click();
    }
    const wide = await page()
      .locator('iframe[title="Message preview"]')
      .evaluate((frame) => frame.clientWidth);
    expect(wide).toBe(375);
    await writing.getByRole('button', { name: 'Blocks', exact: true }).click();
    await world.pressIn('Replace the HTML');
    await writing.getByRole('button', { name: 'Edit design' }).click();
    await headline().fill('Only for you');
    await editor().getByRole('button', { name: 'Done' }).click();
    await writing.getByLabel('Add a language').fill('de');
    await writing.getByRole('button', { name: 'Add language' }).click();
    await writing.getByLabel('Subject', { exact: true }).fill('Angebot');
    await writing.getByRole('button', { name: 'Edit design' }).click();
    await headline().fill('Nur für dich');
    await editor().getByRole('button', { name: 'Done' }).click();
    await preview.getByRole('heading', { name: 'Nur für dich' }).waitFor();
    await writing.getByRole('button', { name: 'Send test' }).click();
    const test = page().getByRole('dialog', { name: 'Send a test' });
    await test.getByLabel('To').fill('me@messages.example');
    await test.getByLabel('Language').selectOption('German');
    expect(await world.visitor.hindrances()).toEqual([]);
    await test.getByRole('button', { name: 'Send test' }).click();
    await world.toast('Test accepted.').waitFor();
    const { body: sent } = await world.platform.get('/v1/emails?to=me@messages.example');
    expect(sent.data).toMatchObject([{ subject: '[Test] Angebot' }]);
    await writing.getByRole('button', { name: 'Done' }).click();
    await page().getByRole('button', { name: 'Edit message' }).and(page().locator(':focus')).waitFor();
    await world.press('Save draft');
    await page().getByRole('heading', { level: 1, name: 'Offers', exact: true }).waitFor();
    const kept = (await world.platform.get(`/v1/workflows/${id}`)).body.data.graph.nodes as { id: string; config: object }[];
    expect(kept.find((node) => node.id === 's')?.config).toMatchObject({
      subject: 'Offer',
      previewText: 'For you',
      body: expect.stringContaining('Only for you</h1>'),
      bodyBlocks: { version: 1 },
      variants: { de: { subject: 'Angebot', body: expect.stringContaining('Nur für dich</h1>'), bodyBlocks: { version: 1, lang: 'de' } } },
    });
    expect(await world.visitor.misdeeds()).toEqual([]);
  });
}
