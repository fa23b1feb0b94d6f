import { ClickLinks, readClickToken } from '../../../../src/records/emails/click-links';
import { readToken } from '../../../../src/records/emails/urls';
import { newId } from '../../../../src/platform/core/ids';
import { textOf } from '../../../../src/message/mime/pieces';
import { ContentCompiler } from '../../../../src/message/template';
import { Secrets } from '../../../../src/platform/secrets';
import { testCore } from '../../../support/platform/app';

const compiler = new ContentCompiler();

const core = testCore();
const id = newId('em');
const URL_A = 'https://example.com/a?x=1&y=ü';
const URL_B = 'https://example.com/b';

const content = (html: string) => compiler.compile({ subject: 's', html, text: null });
const tokenOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

interface Of {
  readonly at?: typeof core;
  readonly emailId?: string;
  readonly projectId?: string;
  readonly html?: string;
}

/** The token of a link that the content of a message names itself. */
const shared = (url: string, { at = core, emailId = id, projectId = 'prj_1', html = 'one' }: Of = {}): string =>
  tokenOf(textOf(new ClickLinks(at, { _id: emailId }, projectId, content(html)).to(url)));

const read = (token: string, at = core) => readClickToken(at, token);

test('a link of the content leads to its address, for the message it is in, and is the same each time', () => {
  for (const url of [URL_A, URL_B]) {
    expect(read(shared(url))).toEqual({ emailId: id, url });
    expect(shared(url)).toBe(shared(url));
  }
  const other = newId('em');
  expect(read(shared(URL_A, { emailId: other }))).toEqual({ emailId: other, url: URL_A });
});

test('what is put together of links of two messages, contents or projects is worth nothing', () => {
  const [message, mark, signature, target, ofContent] = shared(URL_A).split('.');
  for (const change of [{ emailId: newId('em') }, { html: 'two' }, { projectId: 'prj_2' }]) {
    const other = shared(URL_B, change).split('.');
    expect(read(other.join('.'))).not.toBeNull();
    const mixed = [
      [other[0], mark, signature, target, ofContent],
      [message, other[1], signature, target, ofContent],
      [message, mark, other[2], target, ofContent],
      [message, mark, signature, other[3], ofContent],
      [message, mark, signature, target, other[4]],
      [message, other[1], other[2], target, ofContent],
      [message, other[1], signature, other[3], other[4]],
      [message, mark, signature, other[3], other[4]],
    ].map((parts) => parts.join('.'));
    const known = [shared(URL_A), shared(URL_B), shared(URL_B, { emailId: change.emailId ?? id })];
    for (const token of mixed.filter((each) => !known.includes(each))) expect([token, read(token)]).toEqual([token, null]);
  }
});

test('any one character altered, added or missing makes it worthless, and each has one spelling', () => {
  const token = shared('https://example.com/ab');
  const altered = [
    ...Array.from(token, (char, at) => token.slice(0, at) + (char === 'a' ? 'b' : 'a') + token.slice(at + 1)),
    ...Array.from(token, (_char, at) => token.slice(0, at) + token.slice(at + 1)),
    ...Array.from(token, (char, at) => token.slice(0, at) + char.toUpperCase() + token.slice(at + 1)),
    ...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', (char) => {
      const [message, mark, signature, target = '', ofContent] = token.split('.');
      return [message, mark, signature, target.slice(0, -1) + char, ofContent].join('.');
    }),
    `${token}a`,
    `${token}.`,
    `${token}\n`,
    `.${token}`,
    '',
  ].filter((other) => other !== token);
  for (const other of altered) expect([other, read(other)]).toEqual([other, null]);
});

test('a link of the content is none of the other links of its message', () => {
  const [message, mark, signature] = shared(URL_A).split('.');
  for (const purpose of ['open', 'unsubscribe', 'view', 'bounce'] as const)
    expect(readToken(core, purpose, `${message}.${signature}`)).toBeNull();
  expect(read(`${message}.${mark}.${signature}`)).toBeNull();
});

test('links sealed with a replaced APP_SECRET are good as long as it is listed', () => {
  const [first, second] = ['the first secret of this platform, long', 'the second secret of this platform, long'] as const;
  const under = (...secrets: readonly string[]) => ({ ...core, secrets: new Secrets(secrets) });
  const [before, listed, gone] = [under(first), under(second, first), under(second)];
  const token = shared(URL_A, { at: before });
  expect(read(token, listed)).toEqual({ emailId: id, url: URL_A });
  expect(read(token, gone)).toBeNull();
  expect(read(shared(URL_A, { at: listed }), gone)).toEqual({ emailId: id, url: URL_A });
});
