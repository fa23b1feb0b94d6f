import { decodeCursor, encodeCursor } from '../../api/http/cursor';
import { AppError } from '../../src/errors';
import { Secrets } from '../../src/secrets';

const secrets = new Secrets(['the first secret of this installation']);
const scope = { projectId: 'prj_a', list: 'listEmails', filters: { status: 'sent', to: undefined } };
const position = { at: new Date('2026-11-21T09:30:00.123Z'), id: 'eml_01jd3z6m8x2k9v4t7q5w1r0ycg' };

function refusal(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error instanceof AppError ? { code: error.code, details: error.details } : error;
  }
  return null;
}

const invalidCursor = { code: 'validation_error', details: [{ path: 'cursor', code: 'invalid_cursor', message: expect.any(String) }] };

test('gives back the position, in milliseconds', () => {
  expect(decodeCursor(secrets, scope, encodeCursor(secrets, scope, position))).toEqual(position);
});

test('does not show the position', () => {
  expect(encodeCursor(secrets, scope, position)).toMatch(/^[A-Za-z0-9_-]+$/);
});

test('takes filters in any order', () => {
  const cursor = encodeCursor(secrets, { ...scope, filters: { a: 1, b: 2 } }, position);
  expect(decodeCursor(secrets, { ...scope, filters: { b: 2, a: 1 } }, cursor)).toEqual(position);
});

test('survives a rotation of the secret', () => {
  const rotated = new Secrets(['the second secret of this installation', 'the first secret of this installation']);
  expect(decodeCursor(rotated, scope, encodeCursor(secrets, scope, position))).toEqual(position);
});

test.each([
  ['another project', { ...scope, projectId: 'prj_b' }],
  ['another list', { ...scope, list: 'listEvents' }],
  ['another filter', { ...scope, filters: { status: 'queued' } }],
])('is of no use for %s', (_name, elsewhere) => {
  const cursor = encodeCursor(secrets, scope, position);
  expect(refusal(() => decodeCursor(secrets, elsewhere, cursor))).toEqual(invalidCursor);
});

test.each([
  ['', 'nothing'],
  ['x', 'a letter'],
  ['null', 'a word'],
  ['AAAA'.repeat(200), 'too long'],
  [Buffer.from(`${'0'.repeat(28)}1.eml_1`).toString('base64url'), 'unsigned'],
  ['%%%%', 'not base64'],
  ['\0', 'a NUL'],
])('refuses %j: %s', (cursor) => {
  expect(refusal(() => decodeCursor(secrets, scope, cursor))).toEqual(invalidCursor);
});

test('refuses every change of one character', () => {
  const cursor = encodeCursor(secrets, scope, position);
  const altered = [...cursor].map((letter, index) => cursor.slice(0, index) + (letter === 'A' ? 'B' : 'A') + cursor.slice(index + 1));
  const padded = [`${cursor}=`, `${cursor}A`, ` ${cursor}`];
  for (const forged of [...altered, ...padded]) {
    expect(refusal(() => decodeCursor(secrets, scope, forged))).toEqual(invalidCursor);
  }
});
