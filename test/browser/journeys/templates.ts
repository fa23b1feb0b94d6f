import { eventually } from '../../support/platform/platform';
import type { World } from '../support/world';
import { hasCount, hasValue } from '../support/waits';

/** Templates. */
export function templateJourneys(world: World): void {
  test('a template is written, changed, sent as a test, and brought back to what it was', async () => {
    const { page } = world.visitor;
    await world.platform.post('/v1/contacts', { email: 'grace@example.com', firstName: 'Grace' });
    await world.visitor.open('/templates', 'Templates');
    await page.getByRole('link', { name: 'New template' }).click();
    await page.getByRole('link', { name: 'Blank' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Order shipped');
    await page.getByLabel('Subject').fill('Your order {{order}}');
    await page.getByLabel('From address').fill('shop@elsewhere.test');
    await page.getByText('elsewhere.test is not verified').waitFor();
    await page.getByRole('link', { name: 'Add it in Domains' }).waitFor();
    await hasCount(page.locator('datalist option[value="shop@hello.test"]'), 1);
    await page.getByLabel('From address').fill('shop@hello.test');
    await page.getByText('elsewhere.test is not verified').waitFor({ state: 'detached' });
    await world.press('HTML');
    await page.getByLabel('HTML').fill('<p>Hello *|FNAME|*');
    await page.getByText('*|FNAME|* looks like Mailchimp').waitFor();
    await page.getByLabel('HTML').fill('<p>Hello {{firstName | "there"}}, order {{order}}');
    const values = page.getByRole('list', { name: 'Placeholders' });
    const read = page.frameLocator('iframe.message');
    await page.locator('.code-place', { hasText: '{{firstName' }).waitFor();
    await values.getByText('firstName: no value').waitFor();
    await read.getByText('Hello there, order').waitFor();
    await page.getByLabel('Preview as contact').fill('grace@example.com');
    await page.getByText('Set values').click();
    await page.getByRole('group', { name: 'Placeholder 2' }).getByLabel('Value').fill('A-1042');
    await read.getByText('Hello Grace, order A-1042').waitFor();
    await page.getByText('Your order A-1042').waitFor();
    expect(await values.getByText('no value').count()).toBe(0);
    await page.getByLabel('Preview as contact').fill('nobody@example.com');
    await page.getByText('Contact not found').waitFor();
    await page.getByRole('link', { name: 'Campaigns' }).click();
    await world.dialog.getByText('Your changes are not saved').waitFor();
    await world.pressIn('Keep editing');
    await world.press('Create template');
    await page.getByRole('heading', { level: 1, name: 'Order shipped' }).waitFor();
    await page.getByLabel('HTML').fill('<p>{{#if}}');
    await world.press('Publish version 2');
    await page
      .getByText(/^body: /)
      .first()
      .waitFor();
    await page.getByLabel('HTML').fill('<p>Another text, {{order}}</p>');
    await world.press('Publish version 2');
    await page.getByText('Compare with version 2').click();
    await page.locator('.diff del', { hasText: 'Hello {{firstName' }).waitFor();
    await page.locator('.diff ins', { hasText: 'Another text' }).waitFor();
    await world.press('Roll back');
    await world.pressIn('Roll back');
    await page.getByRole('button', { name: 'Publish version 4' }).waitFor();
    await world.press('Send test');
    await world.dialog.getByLabel('To').fill('grace@example.com');
    await world.dialog.getByRole('group', { name: 'Placeholder 2' }).getByLabel('Value').fill('A-1042');
    await world.pressIn('Send test');
    await world.toast('Test accepted.').getByRole('link', { name: 'View message' }).click();
    await page.getByRole('heading', { level: 1, name: '[Test] Your order A-1042' }).waitFor();
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('a preview loads the pictures of a draft until its author puts them off, and mail that was sent loads none', async () => {
    const { page } = world.visitor;
    const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
    await page.route('https://pictures.example/**', (route) => route.fulfill({ contentType: 'image/png', body: png }));
    const body = '<p>Look</p><img src="https://pictures.example/boat.png" alt="A boat">';
    await world.visitor.open('/templates/new', 'New template');
    await world.press('HTML');
    await page.getByLabel('HTML').fill(body);
    const picture = page.frameLocator('iframe.message').getByAltText('A boat');
    const width = () => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth);
    await eventually('the picture is there', async () => (await width()) === 1);
    await page.getByLabel('Load pictures').uncheck();
    await eventually('the picture is gone', async () => (await width()) === 0);
    expect(await world.visitor.hindrances()).toEqual([]);
    const id = await world.platform.send('grace@example.com', { subject: 'A boat', html: body });
    await world.visitor.open(`/mail/${id}`, 'A boat');
    await picture.waitFor({ state: 'attached' });
    await world.visitor.loaded();
    expect([await width(), await page.getByLabel('Load pictures').count()]).toEqual([0, 0]);
    await page.unroute('https://pictures.example/**');
  });

  test('a new template begins with a mail of the gallery, or with a template of the project', async () => {
    const { page } = world.visitor;
    await world.visitor.open('/templates/start', 'New template');
    await page.frameLocator('iframe[title="Win-back"]').getByText('Hello there,').waitFor();
    await page.getByRole('link', { name: 'Win-back' }).click();
    await page.getByLabel('From address').waitFor();
    await page.frameLocator('iframe.message').getByText('It has been a while').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Come back');
    await page.getByLabel('From address').fill('shop@hello.test');
    await world.press('Create template');
    await page.getByRole('heading', { level: 1, name: 'Come back' }).waitFor();
    await world.visitor.open('/campaigns/start', 'New campaign');
    await page.getByRole('link', { name: 'Come back' }).click();
    await page.getByLabel('From address').waitFor();
    await page.frameLocator('iframe.message').getByText('It has been a while').waitFor();
    expect(await page.getByLabel('Subject', { exact: true }).inputValue()).toContain('shall we keep in touch?');
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('a field is put into the subject and the HTML, and a text with an error keeps the last preview', async () => {
    const { page } = world.visitor;
    await world.visitor.open('/templates/new', 'New template');
    const subject = page.getByLabel('Subject', { exact: true });
    const focused = page.locator(':focus');
    await subject.fill('Hello !');
    await subject.press('ArrowLeft');
    const insert = page.locator('.line-field', { hasText: 'Subject' }).getByRole('button', { name: 'Insert field' });
    await insert.click();
    await world.dialog.waitFor();
    await page.keyboard.press('Escape');
    await insert.and(focused).waitFor();
    await insert.click();
    await world.dialog.getByRole('button', { name: /^First name/ }).click();
    await world.dialog.getByLabel('Fallback').fill('there');
    await world.pressIn('Insert field');
    await subject.and(focused).waitFor();
    await page.keyboard.type('?');
    await hasValue(subject, 'Hello {{firstName | "there"}}?!');
    await page.getByRole('button', { name: 'HTML', exact: true }).click();
    await page.getByLabel('HTML', { exact: true }).fill('<p>Your number: </p>');
    const text = page.frameLocator('iframe.message').getByText('Your number:');
    await text.waitFor();
    await page.getByLabel('HTML', { exact: true }).fill('<p>Your number: {{#if}}</p>');
    await page.getByText('The preview shows the last version without errors.').waitFor();
    await text.waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
  });

  test('a picture is uploaded, described and put into the HTML', async () => {
    const { page } = world.visitor;
    const dot = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');
    await world.visitor.open('/templates/new', 'New template');
    await page.getByRole('button', { name: 'HTML', exact: true }).click();
    await world.press('Insert picture');
    const insert = world.dialog.getByRole('button', { name: 'Insert' });
    await world.dialog
      .getByLabel('Drop a picture here')
      .setInputFiles({ name: 'page.gif', mimeType: 'image/gif', buffer: Buffer.from('<p>') });
    await world.dialog.getByText('The body is not a PNG').waitFor();
    await world.dialog.getByLabel('Drop a picture here').setInputFiles({ name: 'dot.gif', mimeType: 'image/gif', buffer: dot });
    await world.dialog.getByRole('button', { name: 'dot.gif', pressed: true }).waitFor();
    expect(await insert.isDisabled()).toBe(true);
    await world.dialog.getByLabel('Alternative text').fill('A "dot" {{x}}');
    await insert.click();
    const picture = page.frameLocator('iframe.message').getByAltText('A "dot" {{x}}');
    const width = () => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth);
    await eventually('the picture is in the preview', async () => (await width()) === 1);
    expect(await world.visitor.hindrances()).toEqual([]);
  });

  test('short texts are translated in a table, and a mail reads them', async () => {
    const { page } = world.visitor;
    await world.visitor.open('/translations', 'Translations');
    await page.getByText('No translations yet').waitFor();
    await page.getByLabel('Add a key').fill('greeting');
    await page.keyboard.press('Enter');
    await page.getByLabel('Add a language').fill('de');
    await world.press('Add language');
    await world.press('Save translations');
    await page.getByText('translations.greeting.default').waitFor();
    await page.getByLabel('greeting, default').fill('Hello <b>');
    await page.getByLabel('greeting, German').fill('Hallo');
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.press('Save translations');
    await eventually('they are stored', async () => {
      const { body } = await world.platform.get('/v1/translations');
      return JSON.stringify((body.data as { translations: object }).translations) === '{"greeting":{"default":"Hello <b>","de":"Hallo"}}';
    });
    await world.visitor.open('/templates/new', 'New template');
    await world.press('HTML');
    await page.getByLabel('HTML', { exact: true }).fill('<p>{{t "greeting"}}!</p>');
    await page.frameLocator('iframe.message').getByText('Hello <b>!').waitFor();
    await page.reload();
    await world.visitor.open('/templates/new', 'New template');
    await world.press('Edit design');
    const editor = page.getByRole('dialog', { name: 'Design the mail' });
    await editor
      .getByRole('group', { name: /^Heading/ })
      .getByRole('textbox')
      .first()
      .focus();
    await editor.getByRole('button', { name: 'Insert field' }).click();
    const fields = page.getByRole('dialog', { name: 'Insert field' });
    await fields.getByRole('button', { name: /^Translation: Hello/ }).click();
    await fields.getByRole('button', { name: 'Insert field' }).click();
    await editor.locator('.field-chip', { hasText: 'Translation: greeting' }).waitFor();
    await page.keyboard.type('{{t "greeting" | "Hi"}}');
    await editor.locator('.field-chip', { hasText: 'Translation: greeting | Hi' }).waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    await editor.getByRole('button', { name: 'Done' }).click();
    await page.frameLocator('iframe.message').getByText('Hello <b>Hello <b>').waitFor();
    await page.reload();
    await world.visitor.open('/translations', 'Translations');
    await page.getByRole('button', { name: 'Remove greeting' }).click();
    await world.press('Save translations');
    await page.getByText('No translations yet').waitFor();
    expect(await world.visitor.misdeeds()).toEqual([]);
  });
}
