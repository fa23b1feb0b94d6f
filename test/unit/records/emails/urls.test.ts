import { clickUrl, readClickToken } from '../../../../src/records/emails/click-links';
import { bounceAddress, openPixelUrl, readToken, unsubscribeAddress } from '../../../../src/records/emails/urls';
import { newId } from '../../../../src/platform/core/ids';
import { testCore } from '../../../support/platform/app';
import { publicUrls } from '../../../support/calls/public-urls';

const core = testCore();
const id = newId('em');
const lastSegment = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

test('links in e-mails stand for their message, each for its own purpose', () => {
  const { unsubscribeUrl, viewInBrowserUrl } = publicUrls(core, id);
  const tokens = {
    unsubscribe: lastSegment(unsubscribeUrl),
    view: lastSegment(viewInBrowserUrl),
    open: lastSegment(openPixelUrl(core, { _id: id })).replace('.gif', ''),
    bounce: /^b\+(.+)@bounce\.lettermill\.test$/.exec(bounceAddress(core, { _id: id }))?.[1] ?? '',
  };
  expect(unsubscribeUrl).toBe(`${core.config.PUBLIC_URL}/u/${tokens.unsubscribe}`);
  expect(viewInBrowserUrl).toBe(`${core.config.PUBLIC_URL}/v/${tokens.view}`);
  expect(openPixelUrl(core, { _id: id })).toBe(`${core.config.PUBLIC_URL}/t/o/${tokens.open}.gif`);
  expect(unsubscribeAddress(core, id)).toBe(`u+${tokens.unsubscribe}@bounce.lettermill.test`);
  for (const [made, token] of Object.entries(tokens)) {
    for (const asked of ['unsubscribe', 'view', 'open', 'bounce'] as const) {
      expect(readToken(core, asked, token)).toBe(asked === made ? id : null);
    }
  }
});

test.each([
  ['http://localhost:3000', 'http://track.d.test:3000'],
  ['https://mail.example.net', 'https://track.d.test'],
  ['https://mail.example.net:8443/base', 'https://track.d.test:8443/base'],
  ['http://[::1]:3000', 'http://track.d.test:3000'],
])('name the sender’s own host once it is verified, with the rest of %s', (PUBLIC_URL, base) => {
  const at = testCore({ config: { PUBLIC_URL } });
  const message = { _id: id, trackingHost: 'track.d.test', bounceDomain: 'bounce.d.test' };
  expect(openPixelUrl(at, message)).toBe(openPixelUrl(core, { _id: id }).replace(core.config.PUBLIC_URL, base));
  expect(clickUrl(at, message, 'http://x.test/')).toBe(clickUrl(core, { _id: id }, 'http://x.test/').replace(core.config.PUBLIC_URL, base));
  expect(bounceAddress(at, message)).toMatch(/^b\+[0-9a-z.]+@bounce\.d\.test$/);
  expect(bounceAddress(at, { _id: id })).toMatch(/@bounce\.lettermill\.test$/);
});

test('bounce addresses fit into the local part of an address (RFC 5321: 64)', () => {
  expect(bounceAddress(core, { _id: id }).indexOf('@')).toBeLessThanOrEqual(64);
});

test.each(['https://example.com/?a=1&b=ü#x', 'http://x.test/', 'https://example.com/ '])('click links carry their address: %s', (url) => {
  const link = clickUrl(core, { _id: id }, url);
  expect(link.startsWith(`${core.config.PUBLIC_URL}/t/c/${id.slice(3)}.`)).toBe(true);
  expect(readClickToken(core, lastSegment(link))).toEqual({ emailId: id, url });
});

test('links in e-mails are worth nothing with any one character altered, added or missing', () => {
  const click = lastSegment(clickUrl(core, { _id: id }, 'https://example.com/a'));
  const view = lastSegment(publicUrls(core, id).viewInBrowserUrl);
  const alterations = (token: string): string[] => [
    ...Array.from(token, (char, at) => token.slice(0, at) + (char === 'a' ? 'b' : 'a') + token.slice(at + 1)),
    ...Array.from(token, (_char, at) => token.slice(0, at) + token.slice(at + 1)),
    ...Array.from(token, (char, at) => token.slice(0, at) + char.toUpperCase() + token.slice(at + 1)).filter((other) => other !== token),
    `${token}a`,
    `${token}.`,
    `${token}\n`,
    '',
  ];
  for (const altered of alterations(click).filter((token) => token !== click))
    expect([altered, readClickToken(core, altered)]).toEqual([altered, null]);
  for (const altered of alterations(view).filter((token) => token !== view))
    expect([altered, readToken(core, 'view', altered)]).toEqual([altered, null]);
});

test('click links have one spelling: unused bits of the address count too', () => {
  const click = lastSegment(clickUrl(core, { _id: id }, 'https://example.com/ab'));
  const [short = '', target = '', signature = ''] = click.split('.');
  const spellings = Array.from(
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
    (char) => target.slice(0, -1) + char,
  ).filter((spelling) => Buffer.from(spelling, 'base64url').equals(Buffer.from(target, 'base64url')) && spelling !== target);
  expect(spellings.length).toBeGreaterThan(0);
  for (const spelling of spellings) expect(readClickToken(core, `${short}.${spelling}.${signature}`)).toBeNull();
});
