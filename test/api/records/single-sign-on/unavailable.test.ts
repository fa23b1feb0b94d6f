import { CONSOLE_ORIGIN, ConsoleBrowser } from '../../../support/calls/console-browser';
import { ssoCalls, ssoSettings } from '../../../support/calls/single-sign-on';
import { aMember } from '../../../support/calls/member-browsers';
import { forTheFile } from '../../../support/run/for-the-file';
import { aProject } from '../../../support/platform/app';
import { OpenIdProvider } from '../../../support/servers/openid-provider';

/** It has an address, and answers only once it is served. */
const provider = forTheFile(
  () => OpenIdProvider.start(),
  (started) => started.stop(),
);
const app = aProject(() => ({ config: ssoSettings(provider) }));
const { signIn, account } = ssoCalls(
  () => app,
  () => provider,
);

test('a provider that answers with nonsense, and then well, is asked again', async () => {
  const nonsense = (_req: unknown, res: { end(text: string): void }): void => res.end('{}');
  provider.answerBy(nonsense);
  const { headers } = await new ConsoleBrowser(app.url).ask('get', '/console/oidc').expect(303);
  expect(headers['location']).toBe(`${CONSOLE_ORIGIN}/console/#refused=unavailable`);
  provider.serve(CONSOLE_ORIGIN);
  await aMember(app, 'ada@example.com', 'analyst');
  account('ada');
  expect((await signIn('ada')).refused).toBeNull();
});
