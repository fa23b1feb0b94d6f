import { aProject } from '../../support/platform/app';
import { optInCalls } from '../../support/calls/opt-ins';
import { freshAddress } from '../../support/data/people';
import { formCalls } from '../audience/forms/calls';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const { form, page, submit } = formCalls(() => app);
const { turn, mailTo, linkOf, visit, confirm } = optInCalls(() => app);

const BRAND = { name: 'Acme & Sons', logoUrl: 'https://cdn.example.com/logo.png', color: '#1a7f5a', css: 'h1 { letter-spacing: 1px }' };
const settings = (brand: object | null) => app.api().patch('/v1/settings').send({ brand }).expect(200).then();

afterEach(() => settings(null));

const LOGO = '<img class="logo" src="https://cdn.example.com/logo.png" alt="Acme &amp; Sons">';
const looksOf = ({ text, headers }: { readonly text: string; readonly headers: Readonly<Record<string, string>> }) => ({
  logo: text.includes(LOGO),
  color: text.includes('--brand: #1a7f5a'),
  css: text.includes('letter-spacing'),
  pictures: headers['content-security-policy']?.includes('img-src https://cdn.example.com;'),
  styles: headers['content-security-policy']?.match(/'sha256-/g)?.length,
});
const BRANDED = { logo: true, color: true, css: true, pictures: true, styles: 2 };
const PLAIN = { logo: false, color: false, css: false, pictures: false, styles: 1 };

test('the page of a form, what it says after a sign-up, and its refusals have the brand', async () => {
  const { formId } = await form();
  expect(looksOf(await page(formId).expect(200))).toEqual(PLAIN);
  await settings(BRAND);
  expect(looksOf(await page(formId).expect(200))).toEqual(BRANDED);
  expect(looksOf(await submit(formId, { email: 'not an address' }).expect(422))).toEqual(BRANDED);
  expect(looksOf(await submit(formId, { email: freshAddress() }).expect(200))).toEqual(BRANDED);
  await app.api().patch(`/v1/forms/${formId}`).send({ state: 'held' }).expect(200);
  expect(looksOf(await page(formId).expect(409))).toEqual(BRANDED);
});

test('the pages of a confirmation and its message name the sender by the brand', async () => {
  await settings(BRAND);
  const email = freshAddress();
  await app.api().post('/v1/contacts').send({ email, optIn: 'double' }).expect(202);
  await turn(email);
  const [mail] = await mailTo(email);
  expect(mail?.subject).toBe('Confirm your subscription: Acme & Sons');
  const link = await linkOf(email);
  const asked = await visit('get', link).expect(200);
  expect(looksOf(asked)).toEqual(BRANDED);
  expect(asked.text).toContain('Acme &amp; Sons');
  expect(await confirm(link)).toContain(LOGO);
  expect(looksOf(await visit('get', link).expect(200))).toEqual(BRANDED);
});

test('the page of a form with a proof of work runs its own script beside the brand', async () => {
  await settings(BRAND);
  const { formId } = await form({ proofOfWork: true });
  const shown = await page(formId).expect(200);
  expect(shown.headers['content-security-policy']).toMatch(
    /img-src https:\/\/cdn\.example\.com;.*form-action 'self';.*script-src 'sha256-/,
  );
});
