import { Platform } from '../../support/platform/platform';
import { SCREENS, make } from '../areas';
import { NARROW, Visitor, WIDE } from '../support/browser';
import { buildConsole, startBrowser } from '../support/launch';

const SIZES = [
  ['wide', WIDE],
  ['narrow', NARROW],
] as const;

/** What a new campaign starts from. */
const DESIGNS = ['new-campaign', () => '/campaigns/start'] as const;

/** Pictures for the documentation, of a project as it may be: `npx jest test/browser/pictures/console`. The whole suite leaves them as they are. */
test('pictures are taken of every screen, and nothing goes wrong', async () => {
  buildConsole();
  const [platform, browser] = await Promise.all([Platform.start(), startBrowser()]);
  const { ids } = await make(platform, 'example');
  for (const [width, size] of SIZES) {
    const visitor = await Visitor.come(browser, platform, size);
    await visitor.open('', 'Sign in');
    await visitor.picture(`sign-in-${width}`);
    await visitor.signIn();
    for (const [name, place] of [...SCREENS, DESIGNS]) {
      await visitor.open(place(ids), /./);
      await visitor.picture(`${name}-${width}`);
    }
    expect(await visitor.misdeeds()).toEqual([]);
    await visitor.leave();
  }
  await browser.close();
  await platform.stop();
});
