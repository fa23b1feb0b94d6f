import type { World } from '../support/world';

/** EXIF of a telephone that was held upright: turned to the right, with a place in its text. */
const EXIF = Buffer.concat([
  Buffer.from('ffe1003a4578696600004d4d002a00000008000101120003000000010006000000000000', 'hex'),
  Buffer.from('GPS 52.5163N 13.3777E ..'),
]);

/** The pictures of a project. */
export function fileJourneys(world: World): void {
  test('a photograph is uploaded upright and without its place, its URL is copied, and it is deleted once its uses were said', async () => {
    const { page } = world.visitor;
    await world.visitor.open('/files', 'Files');
    // A photograph of this browser: a JPEG twice as wide as it is high.
    const drawn = await page.evaluate(() => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 200, height: 100 });
      canvas.getContext('2d')?.fillRect(0, 0, 50, 50);
      return canvas.toDataURL('image/jpeg').split(',')[1] ?? '';
    });
    const jpeg = Buffer.from(drawn, 'base64');
    const buffer = Buffer.concat([jpeg.subarray(0, 2), EXIF, jpeg.subarray(2)]);
    await page.getByLabel('Drop a picture here').setInputFiles({ name: 'shop.jpg', mimeType: 'image/jpeg', buffer });
    await page.getByText('shop.jpg is stored.').waitFor();
    const row = page.getByRole('row', { name: /shop\.jpg/ });
    await row.getByText('100 × 200').waitFor();
    // The browser turns it as the telephone said.
    const face = row.locator('img');
    await face.evaluate((image: HTMLImageElement) => image.decode());
    expect(await face.evaluate(({ naturalWidth, naturalHeight }: HTMLImageElement) => [naturalWidth, naturalHeight])).toEqual([100, 200]);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await row.getByRole('button', { name: 'Copy URL' }).click();
    await world.toast('Copied.').waitFor();
    const url = await page.evaluate(() => navigator.clipboard.readText());
    const served = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect([served.includes('Exif'), served.includes('GPS'), served.length]).toEqual([true, false, jpeg.length + 36]);
    expect(await world.visitor.hindrances()).toEqual([]);

    const { body } = await world.platform.post('/v1/templates', {
      name: 'Window',
      subject: 'Our window',
      fromEmail: 'shop@hello.test',
      body: `<img alt="Window" src="${url}">`,
    });
    await row.getByRole('button', { name: 'Delete' }).click();
    await world.dialog.getByRole('link', { name: 'Window' }).waitFor();
    await world.pressIn('Go back');
    await world.platform.request('DELETE', `/v1/templates/${body.data.templateId}`, {});
    await row.getByRole('button', { name: 'Delete' }).click();
    await world.dialog.getByText('No template, campaign or automation shows it now.').waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.pressIn('Delete');
    await world.dialog.waitFor({ state: 'detached' });
    await row.waitFor({ state: 'detached' });
    expect((await fetch(url)).status).toBe(404);
    expect(await world.visitor.misdeeds()).toEqual([]);
  });
}
