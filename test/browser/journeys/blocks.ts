import { eventually } from '../../support/platform/platform';
import { NARROW } from '../support/browser';
import type { World } from '../support/world';
import { hasValue } from '../support/waits';

const LARGE = { width: 1_440, height: 900 };
const SMALL = { width: 360, height: 740 };

/** What is seen of the block editor. */
export function blockJourneys(world: World): void {
  const page = () => world.visitor.page;
  const editor = () => page().getByRole('dialog', { name: 'Design the mail' });
  const blocks = () => editor().locator('.canvas-mail > .block');
  const block = (name: RegExp) => editor().getByRole('group', { name });
  const kinds = async () => (await blocks().all()).length;

  const openEditor = async () => {
    await page().getByRole('button', { name: 'Edit design' }).click();
    await editor().getByRole('region', { name: 'Mail', exact: true }).waitFor();
  };

  const write = async (name: string) => {
    await page().getByLabel('Name', { exact: true }).fill(name);
    await page().getByLabel('Subject', { exact: true }).fill(name);
    await page().getByLabel('From address').fill('hello@hello.test');
  };

  test('a marketer builds the mail of a campaign with the mouse, and what is sent is what was seen', async () => {
    await page().setViewportSize(LARGE);
    await world.visitor.open('/campaigns/new', 'New campaign');
    await write('Spring boats');
    await openEditor();
    const before = await kinds();
    await block(/^Heading/)
      .getByRole('textbox')
      .fill('Boats <b> for {{data.plan | "everybody"}}');
    await block(/^Heading/)
      .locator('.field-chip', { hasText: 'data.plan' })
      .waitFor();
    await block(/^Button/).click();
    await editor().getByLabel('Link', { exact: true }).fill('hello.test/boats');
    // A block from the list, dragged between two others.
    await editor()
      .getByRole('region', { name: 'Blocks to add' })
      .getByRole('button', { name: 'Image' })
      .dragTo(block(/^Heading/), { targetPosition: { x: 200, y: 50 } });
    await block(/^Image, 2 of/).waitFor();
    await editor().getByLabel('Picture URL').fill('https://pictures.example/boat.png');
    await editor()
      .getByRole('button', { name: '0 checks' })
      .or(editor().getByRole('button', { name: '1 check' }))
      .click();
    await editor().getByText('no alternative text').waitFor();
    await editor().getByRole('button', { name: 'Show: Image' }).click();
    await editor().getByLabel('Alternative text').fill('A sailing boat');
    // An existing block, dragged by its grip.
    await block(/^Divider/).click();
    await block(/^Divider/)
      .locator('.grip')
      .dragTo(block(/^Heading/), { targetPosition: { x: 200, y: 5 } });
    await block(/^Divider, 1 of/).waitFor();
    await editor().getByRole('button', { name: 'Undo' }).click();
    await block(/^Heading, 1 of/).waitFor();
    await eventually('the blocks are there', async () => (await kinds()) === before + 1);
    expect(await world.visitor.hindrances()).toEqual([]);
    await editor().getByRole('button', { name: 'Preview' }).click();
    const mail = page().frameLocator('iframe[title="Preview of the mail"]');
    await mail.getByRole('heading', { name: 'Boats <b> for everybody' }).waitFor();
    await editor().getByRole('button', { name: 'Text only' }).click();
    await editor().getByText('[https://hello.test/boats]').waitFor();
    await editor().getByRole('button', { name: 'Done' }).click();
    await world.press('Save draft');
    await page().getByRole('heading', { level: 1, name: 'Spring boats' }).waitFor();
    const { body } = await world.platform.get('/v1/campaigns?search=Spring');
    const [{ campaignId }] = (body.data.data ?? body.data) as [{ campaignId: string }];
    const { body: kept } = await world.platform.get(`/v1/campaigns/${campaignId}`);
    const { body: html, bodyBlocks } = kept.data as { body: string; bodyBlocks: { version: number } };
    expect(bodyBlocks.version).toBe(1);
    expect(html).toContain('Boats &lt;b&gt; for {{data.plan | "everybody"}}');
    expect(html).toContain('alt="A sailing boat"');
    const { body: again } = await world.platform.post('/v1/templates/render-blocks', { bodyBlocks });
    expect((again.data as { body: string }).body).toBe(html);
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('a mail is built by keyboard alone', async () => {
    await page().setViewportSize(LARGE);
    await world.visitor.open('/templates/new', 'New template');
    const keys = page().keyboard;
    await page().getByRole('button', { name: 'Edit design' }).focus();
    await keys.press('Enter');
    await block(/^Heading, 1 of/).focus();
    await keys.press('Enter');
    await keys.press('ControlOrMeta+a');
    await keys.type('Written with keys');
    await keys.press('Escape');
    await keys.press('Alt+ArrowDown');
    await block(/^Heading, 2 of/)
      .getByText('Written with keys')
      .waitFor();
    await eventually('the moved block has the focus', () => block(/^Heading, 2 of/).evaluate((frame) => frame === document.activeElement));
    await keys.press('ArrowUp');
    await keys.press('ControlOrMeta+d');
    await block(/^Text, 2 of/).waitFor();
    await eventually('the copy has the focus', () => block(/^Text, 2 of/).evaluate((frame) => frame === document.activeElement));
    await keys.press('Delete');
    await block(/^Heading, 2 of/).waitFor();
    await keys.press('ControlOrMeta+z');
    await block(/^Text, 2 of/).waitFor();
    await keys.press('ControlOrMeta+Shift+z');
    await block(/^Heading, 2 of/).waitFor();
    await editor().getByRole('button', { name: 'Add a block here' }).first().focus();
    await keys.press('Enter');
    await world.dialog.getByRole('button', { name: 'Repeat' }).focus();
    await keys.press('Enter');
    await block(/^Repeat, 1 of/).waitFor();
    await block(/^Text, 2 of/)
      .getByRole('textbox')
      .focus();
    await keys.press('ControlOrMeta+End');
    await keys.type(' ');
    await editor().getByRole('button', { name: 'Insert field' }).focus();
    await keys.press('Enter');
    const fields = page().getByRole('dialog', { name: 'Insert field' });
    await fields.getByLabel('Field', { exact: true }).fill('firstName');
    await fields.getByLabel('Fallback').fill('friend');
    await keys.press('Enter');
    await block(/^Text, 2 of/)
      .locator('.field-chip', { hasText: 'firstName | friend' })
      .waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    expect(await world.visitor.misdeeds()).toEqual([]);
    await editor().getByRole('button', { name: 'Done' }).click();
    await page().reload();
  });

  test('the editor is usable on narrow and wide, light and dark windows', async () => {
    for (const [size, colorScheme] of [
      [LARGE, 'dark'],
      [NARROW, 'light'],
      [SMALL, 'dark'],
    ] as const) {
      await page().emulateMedia({ colorScheme });
      await page().setViewportSize(size);
      await world.visitor.open('/templates/new', 'New template');
      await openEditor();
      await block(/^Text, 2 of/)
        .getByRole('textbox')
        .click();
      await editor().getByLabel('Text size').waitFor();
      expect([size, await world.visitor.hindrances(), await world.visitor.overflows()]).toEqual([size, [], false]);
      await editor().getByRole('button', { name: 'Preview' }).click();
      await editor().getByRole('button', { name: 'Dark' }).click();
      await page().frameLocator('iframe[title="Preview of the mail"]').getByText('Hello there').waitFor();
      expect([size, await world.visitor.hindrances(), await world.visitor.overflows()]).toEqual([size, [], false]);
    }
    await page().emulateMedia({ colorScheme: 'light' });
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('HTML stays the truth: it is never rewritten, and a design that it left behind is named', async () => {
    await page().setViewportSize(LARGE);
    const design = { version: 1, blocks: [{ kind: 'heading', id: 'a', level: 1, spans: [{ text: 'Designed' }] }] };
    const content = { name: 'Edited elsewhere', subject: 's', fromEmail: 'hello@hello.test' };
    const { body } = await world.platform.post('/v1/templates', { ...content, body: '<p>By hand</p>', bodyBlocks: design });
    const { templateId } = body.data as { templateId: string };
    await world.visitor.open(`/templates/${templateId}`, 'Edited elsewhere');
    await page().getByText('The HTML was changed after its design was saved').waitFor();
    await hasValue(page().getByLabel('HTML', { exact: true }), '<p>By hand</p>');
    await world.press('Go back to the design');
    await page().frameLocator('iframe.message').getByRole('heading', { name: 'Designed' }).waitFor();
    await world.press('Publish version 2');
    await page().getByRole('button', { name: 'Publish version 3' }).waitFor();
    await page().getByRole('button', { name: 'HTML', exact: true }).click();
    await world.dialog.getByText('The design is removed').waitFor();
    await world.pressIn('Switch to HTML');
    await page().getByLabel('HTML', { exact: true }).fill('<p>By hand again</p>');
    await world.press('Publish version 3');
    await page().getByRole('button', { name: 'Publish version 4' }).waitFor();
    const { body: kept } = await world.platform.get(`/v1/templates/${templateId}`);
    expect(kept.data).toMatchObject({ body: '<p>By hand again</p>' });
    expect(kept.data).not.toHaveProperty('bodyBlocks');
  });

  test('blocks are saved, inserted into another mail as a copy, renamed and deleted', async () => {
    await page().setViewportSize(LARGE);
    await world.visitor.open('/templates/new', 'New template');
    await openEditor();
    await block(/^Heading, 1 of/)
      .getByRole('textbox')
      .fill('Our opening hours');
    await block(/^Heading, 1 of/)
      .getByRole('textbox')
      .press('Escape');
    await editor().getByRole('button', { name: 'Save for other mail' }).click();
    await world.dialog.getByLabel('Name', { exact: true }).fill('Opening hours');
    expect(await world.dialog.getByRole('checkbox', { name: 'Heading: Our opening hours' }).isChecked()).toBe(true);
    await world.dialog.getByRole('checkbox', { name: /^Text/ }).first().check();
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.pressIn('Save');
    const palette = editor().getByRole('region', { name: 'Blocks to add' });
    await palette.getByText('later changes of a saved block do not reach this mail').waitFor();
    // The window keeps the focus, and what it says is in it.
    await world.toast('Blocks saved.').waitFor();
    await page().keyboard.press('F8');
    await editor().getByRole('button', { name: 'Close: Blocks saved.' }).and(page().locator(':focus')).waitFor();
    await page().keyboard.press('Enter');
    await world.toast('Blocks saved.').waitFor({ state: 'detached' });
    await editor().locator(':focus').waitFor();
    await editor().getByRole('button', { name: 'Done' }).click();
    await page().reload();
    // By keyboard, into another mail.
    await openEditor();
    const before = await kinds();
    await editor().getByRole('button', { name: 'Add a block here' }).first().focus();
    await page().keyboard.press('Enter');
    await world.dialog.getByRole('button', { name: 'Opening hours' }).focus();
    await page().keyboard.press('Enter');
    await block(/^Heading, 1 of/)
      .getByText('Our opening hours')
      .waitFor();
    await eventually('the blocks are there', async () => (await kinds()) === before + 2);
    // By mouse, twice: a copy has ids of its own.
    await palette.getByRole('button', { name: 'Opening hours' }).click();
    await eventually('the copy is there', async () => (await kinds()) === before + 4);
    await palette.getByRole('button', { name: 'Manage saved blocks' }).click();
    await world.dialog.getByLabel('Name of Opening hours').fill('Hours');
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.pressIn('Rename');
    await world.dialog.getByLabel('Name of Hours').waitFor();
    await world.dialog.getByRole('button', { name: 'Delete' }).click();
    await page().getByRole('dialog', { name: 'Delete Hours?' }).getByRole('button', { name: 'Delete' }).click();
    await page().getByText('No saved blocks are left').waitFor();
    await world.pressIn('Close');
    await eventually('the blocks are there', async () => (await kinds()) === before + 4);
    expect((await world.platform.get('/v1/blocks')).body.data).toEqual([]);
    expect(await world.visitor.misdeeds()).toEqual([]);
    await editor().getByRole('button', { name: 'Done' }).click();
    await page().reload();
  });

  test('one click shows how many contacts of the audience see a block, and have no value for a field', async () => {
    await page().setViewportSize(LARGE);
    for (const [email, plan] of [
      ['sees@example.com', 'seen'],
      ['sees.not@example.com', 'other'],
    ] as const)
      await world.platform.post('/v1/contacts', { email, data: { plan, counted: 'yes' } });
    await world.visitor.open('/campaigns/new', 'New campaign');
    await openEditor();
    await editor().getByRole('region', { name: 'Blocks to add' }).getByRole('button', { name: 'Condition' }).click();
    await editor().getByLabel('Field', { exact: true }).fill('data.plan');
    await editor().getByLabel('Comparison').selectOption('equals');
    await editor().getByLabel('Value', { exact: true }).fill('seen');
    await editor().getByRole('button', { name: 'Who sees this' }).click();
    await editor()
      .getByText(/^1 of \d+ contacts of the audience \(/)
      .waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    const heading = block(/^Heading/)
      .first()
      .getByRole('textbox');
    await heading.press('ControlOrMeta+End');
    await editor().getByRole('button', { name: 'Insert field' }).click();
    const fields = page().getByRole('dialog', { name: 'Insert field' });
    await fields.getByLabel('Field', { exact: true }).fill('data.counted');
    await fields.getByRole('button', { name: 'Who has no value' }).click();
    await fields.getByText(/^\d+ of \d+ contacts of the audience/).waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    await page().keyboard.press('Escape');
    await heading.and(page().locator(':focus')).waitFor();
    await page().keyboard.type(' at last');
    expect(await heading.textContent()).toMatch(/ at last$/);
    expect(await world.visitor.misdeeds()).toEqual([]);
    await editor().getByRole('button', { name: 'Done' }).click();
    await page().reload();
  });
}
