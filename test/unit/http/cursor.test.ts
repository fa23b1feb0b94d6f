import { decodeCursor, encodeCursor } from '../../../api/http/cursor';
import { AppError } from '../../../src/platform/core/errors';
import { Secrets } from '../../../src/platform/secrets';

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

test('a cursor gives back the position, in milliseconds', () => {
  expect(decodeCursor(secrets, scope, encodeCursor(secrets, scope, position))).toEqual(position);
});

test('a cursor does not show the position', () => {
  expect(encodeCursor(secrets, scope, position)).toMatch(/^[A-Za-z0-9_-]+$/);
});

test('a cursor takes filters in any order', () => {
  const cursor = encodeCursor(secrets, { ...scope, filters: { a: 1, b: 2 } }, position);
  expect(decodeCursor(secrets, { ...scope, filters: { b: 2, a: 1 } }, cursor)).toEqual(position);
});

test('a cursor survives a rotation of the secret', () => {
  const rotated = new Secrets(['the second secret of this installation', 'the first secret of this installation']);
  expect(decodeCursor(rotated, scope, encodeCursor(secrets, scope, position))).toEqual(position);
});

test.each([
  ['another project', { ...scope, projectId: 'prj_b' }],
  ['another list', { ...scope, list: 'listEvents' }],
  ['another filter', { ...scope, filters: { status: 'queued' } }],
])('a cursor is of no use for %s', (_name, elsewhere) => {
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
])('a cursor cannot be %j: %s', (cursor) => {
  expect(refusal(() => decodeCursor(secrets, scope, cursor))).toEqual(invalidCursor);
});

test('a cursor with a signature of other characters of the same number is refused', () => {
  const cursor = Buffer.from(encodeCursor(secrets, scope, position), 'base64url').toString('latin1');
  const forged = Buffer.from(`${cursor.slice(0, 5)}é${cursor.slice(6)}`, 'latin1').toString('base64url');
  expect(refusal(() => decodeCursor(secrets, scope, forged))).toEqual(invalidCursor);
});

test('a secret that gets the same name as the one before replaces nothing', () => {
  const [old, next] = ['old-secret-of-more-than-32-characters-1583', 'n'.repeat(40)];
  const before = new Secrets([old]);
  const rotated = new Secrets([next, old]);
  const place = { collection: 'domains', id: 'dom_1', projectId: 'prj_a' } as const;
  expect(before.sign('link', 'x').slice(0, 2)).toBe(rotated.sign('link', 'x').slice(0, 2));
  expect(decodeCursor(rotated, scope, encodeCursor(before, scope, position))).toEqual(position);
  expect(rotated.decrypt(place, before.encrypt(place, 'kept'))).toBe('kept');
  expect(() => new Secrets([next]).decrypt(place, before.encrypt(place, 'kept'))).toThrow();
  expect(() => rotated.decrypt({ ...place, id: 'dom_2' }, before.encrypt(place, 'kept'))).toThrow();
});

test('a cursor with any one character changed is refused', () => {
  const cursor = encodeCursor(secrets, scope, position);
  const altered = [...cursor].map((letter, index) => cursor.slice(0, index) + (letter === 'A' ? 'B' : 'A') + cursor.slice(index + 1));
  const padded = [`${cursor}=`, `${cursor}A`, ` ${cursor}`];
  for (const forged of [...altered, ...padded]) {
    expect(refusal(() => decodeCursor(secrets, scope, forged))).toEqual(invalidCursor);
  }
});
