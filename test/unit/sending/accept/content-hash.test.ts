import { hashContent } from '../../../../src/sending/accept/content';

const content = { subject: 'Hello', html: '<p>Hi</p>', text: null, previewText: null };

test('the same content of a project has one id', () => {
  expect(hashContent('prj_a', { ...content })).toBe(hashContent('prj_a', content));
  expect(hashContent('prj_b', content)).not.toBe(hashContent('prj_a', content));
});

test.each(['', '\u0001', '\0', ',', '/', '-1'])('texts that are cut elsewhere at %j are other content', (separator) => {
  const one = { ...content, subject: `a${separator}b`, html: 'c' };
  const other = { ...content, subject: 'a', html: `b${separator}c` };
  expect(hashContent('prj_a', one)).not.toBe(hashContent('prj_a', other));
  expect(hashContent('prj_a', { ...content, html: separator, text: null })).not.toBe(
    hashContent('prj_a', { ...content, html: null, text: separator }),
  );
});
