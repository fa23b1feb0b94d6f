import type { Page } from 'playwright-core';
import type { World } from '../support/world';

const csv = (name: string, rows: readonly string[]) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(`${rows.join('\n')}\n`) });

const EXPORT = [
  csv('subscribed_email_audience_export.csv', [
    'Email Address,First Name,Company,TAGS',
    'ada@moving.example,Ada,Engines,"""VIP"""',
    'left@moving.example,Left,,',
  ]),
  csv('unsubscribed_email_audience_export.csv', ['Email Address,First Name', 'left@moving.example,Left']),
  csv('cleaned_email_audience_export.csv', ['Email Address', 'gone@moving.example']),
  { name: 'Moved.html', mimeType: 'text/html', buffer: Buffer.from('<p>Hello *|FNAME|*</p>') },
  { name: 'Other.html', mimeType: 'text/html', buffer: Buffer.from('<p>*|IF:FNAME|*Hello*|END:IF|*</p>') },
];

/** What a list of facts says of a name. */
const fact = (page: Page, heading: string, name: string) =>
  page.locator('section', { has: page.getByRole('heading', { name: heading }) }).locator('dl.facts > div', { hasText: name });

/** Moving from another service. */
export function movingJourneys(world: World): void {
  test('an export is looked at and imported; opt-outs win, the result stays, and a second import changes nothing', async () => {
    const { visitor, platform } = world;
    const { page } = visitor;
    await visitor.open('/contacts/import', 'Import contacts');
    await page.getByRole('link', { name: 'Import from another service' }).click();
    await page.getByLabel('Service').selectOption('Mailchimp');
    await page
      .getByLabel('Files of the export')
      .setInputFiles({ name: 'export.zip', mimeType: 'application/zip', buffer: Buffer.from('PK') });
    await page.getByText('The archive cannot be read').waitFor();
    const broken = csv('subscribed.csv', ['Email Address', '"ada']);
    await page.getByLabel('Files of the export').setInputFiles(broken);
    await page.getByText('Not a CSV file').waitFor();

    await page.getByLabel('Files of the export').setInputFiles(EXPORT);
    const holds = 'Contents of the export';
    await fact(page, holds, 'Unsubscribed contacts').getByText('1').waitFor();
    await fact(page, holds, 'Contacts').getByText('3', { exact: true }).waitFor();
    await fact(page, holds, 'Bounced addresses').getByText('1').waitFor();
    await fact(page, holds, 'Segments').getByText('1: Tag: VIP').waitFor();
    await page.getByText('template "Other" uses syntax that has no counterpart').waitFor();
    expect(await visitor.hindrances()).toEqual([]);
    expect((await platform.get('/v1/contacts/ada@moving.example')).status).toBe(404);

    await page.getByLabel('From address of templates').fill('hello@example.com');
    await world.press('Import');
    await fact(page, 'Result', 'Contacts created').getByText('3').waitFor();
    await fact(page, 'Result', 'Templates created').getByText('1').waitFor();
    expect(await visitor.hindrances()).toEqual([]);
    const contact = async (name: string) => (await platform.get(`/v1/contacts/${name}@moving.example`)).body.data as object;
    expect(await contact('left')).toMatchObject({ subscribed: false });
    const ada = await contact('ada');
    expect(ada).toMatchObject({ firstName: 'Ada', subscribed: true, data: { Company: 'Engines' } });
    const { body } = await platform.get('/v1/suppressions/check?email=gone@moving.example');
    expect(body.data).toMatchObject({ suppression: { reason: 'hard_bounce' } });

    await page.reload();
    await page.getByRole('heading', { name: 'Imports in this browser' }).waitFor();
    await page.getByLabel('Files of the export').setInputFiles(EXPORT);
    await world.press('Import');
    await fact(page, 'Result', 'Contacts that existed').getByText('3').waitFor();
    await fact(page, 'Result', 'Contacts created').getByText('0').waitFor();
    expect(await contact('ada')).toEqual(ada);
    expect(await visitor.misdeeds()).toEqual([]);
    await page.getByRole('link', { name: 'Rows' }).first().click();
    await page.getByText('All 3 rows processed').waitFor();
    const emails = ['ada', 'left', 'gone'].map((name) => `${name}@moving.example`);
    await platform.post('/v1/contacts/bulk', { action: 'delete', emails });
  });

  test('a hundred thousand rows are read beside the page, which stays quick', async () => {
    const { page } = world.visitor;
    await world.visitor.open('/moving', 'Import from another service');
    await page.getByLabel('Service').selectOption('Buttondown');
    const rows = Array.from({ length: 100_000 }, (_, at) => `reader${at}@moving.example,regular,"news, ${at % 50}"`);
    const workers: string[] = [];
    page.on('worker', (worker) => workers.push(worker.url()));
    await page.getByLabel('Files of the export').setInputFiles(csv('subscribers.csv', ['email_address,type,tags', ...rows]));
    await page.getByText('100,000').waitFor();
    expect(workers).toEqual([expect.stringContaining('/console/assets/worker-')]);
    expect(await world.visitor.misdeeds()).toEqual([]);
  });
}
