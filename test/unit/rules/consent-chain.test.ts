import { createHash } from 'node:crypto';
import { brokenAt, consentLink } from '../../../src/rules/consent-chain';
import type { ConsentDetails, ConsentHead, VerifiedEntry } from '../../../src/rules/consent-chain';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const details = (kind: string): ConsentDetails => ({
  nonce: 'n',
  kind,
  topicId: 'top_1',
  source: 'form',
  ip: '192.0.2.1',
  userAgent: 'Firefox',
  formId: 'frm_1',
  emailId: 'em_1',
});

function chain(...kinds: readonly string[]): VerifiedEntry[] {
  const entries: VerifiedEntry[] = [];
  for (const [index, kind] of kinds.entries()) {
    const given = { text: `I agree ${index}`, details: details(kind) };
    const link = consentLink(entries.at(-1) ?? null, new Date(1_800_000_000_000 + index), given, sha256);
    entries.push({ id: `cns_${index}`, ...given, ...link, erased: false });
  }
  return entries;
}

const headOf = (entries: readonly VerifiedEntry[]): ConsentHead | null => entries.at(-1) ?? null;
const verify = (entries: readonly VerifiedEntry[], head = headOf(entries)): string | null => brokenAt(entries, head, sha256);
const entries = chain('requested', 'confirmed', 'withdrawn');

test('a chain as it was written is intact, also one of no entry', () => {
  expect([verify(entries), verify([])]).toEqual([null, null]);
});

const oneChanged = (change: (entry: VerifiedEntry) => Partial<VerifiedEntry>): VerifiedEntry[] =>
  entries.map((entry, index) => (index === 1 ? { ...entry, ...change(entry) } : entry));

test.each<[string, (entry: VerifiedEntry) => Partial<VerifiedEntry>]>([
  ['the text', ({ text }) => ({ text: `${text}.` })],
  ['the text and its hash', () => ({ text: 'x', textHash: sha256('x') })],
  ['the instant', ({ at }) => ({ at: new Date(at.getTime() + 1) })],
  ['the sequence', () => ({ sequence: 3 })],
  ['the hash of the details', ({ detailsHash }) => ({ detailsHash: detailsHash.replace(/^./, 'x') })],
  ['the hash', ({ hash }) => ({ hash: hash.replace(/^./, 'x') })],
  ...Object.keys(details('x')).map((name): [string, (entry: VerifiedEntry) => Partial<VerifiedEntry>] => [
    name,
    (entry) => ({ details: { ...(entry.details as ConsentDetails), [name]: `${entry.details?.[name as 'ip']}!` } }),
  ]),
])('one changed byte is detected: %s', (_what, change) => {
  expect(verify(oneChanged(change))).toBe('cns_1');
});

test('an entry that is missing is detected, in the middle and at the end', () => {
  const [first, second, third] = entries as [VerifiedEntry, VerifiedEntry, VerifiedEntry];
  expect(verify([first, third])).toBe('cns_2');
  expect(verify([second, third])).toBe('cns_1');
  expect(verify([first, second], headOf(entries))).toBe('head');
  expect(verify([], headOf(entries))).toBe('head');
});

test('an entry that was written again with fitting hashes breaks the one behind it', () => {
  const [first, , third] = entries as [VerifiedEntry, VerifiedEntry, VerifiedEntry];
  const given = { text: 'forged', details: details('confirmed') };
  const forged = { id: 'cns_1', ...given, ...consentLink(first, new Date(1_800_000_000_001), given, sha256), erased: false };
  expect(verify([first, forged, third])).toBe('cns_2');
});

test('an erased entry keeps the chain intact by its hashes alone', () => {
  const erased = entries.map((entry) => ({ ...entry, text: null, details: null, erased: true }));
  expect(verify(erased)).toBeNull();
  expect(verify(erased.map((entry, index) => (index === 0 ? { ...entry, textHash: sha256('other') } : entry)))).toBe('cns_0');
});

test('details that are missing without an erasure are detected', () => {
  expect(verify(oneChanged(() => ({ details: null })))).toBe('cns_1');
});
