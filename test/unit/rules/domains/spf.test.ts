import fc from 'fast-check';
import type { Answer } from '../../../../src/rules/domains/answers';
import { judgeSpf } from '../../../../src/rules/domains/spf';

const OURS = '_spf.lettermill.test';

/** Judges the record of `d` in a world of names; a text is one record. */
function judged(names: Readonly<Record<string, string | readonly string[]>>): { verdict: Promise<string>; asked: string[] } {
  const asked: string[] = [];
  const answer = (name: string): Answer<string> => {
    const known = names[name];
    if (known === undefined) return { said: 'none' };
    if (known === 'unknown') return { said: 'unknown' };
    return { said: 'found', records: typeof known === 'string' ? [known] : known };
  };
  const lookUp = async (name: string): Promise<Answer<string>> => {
    asked.push(name);
    return answer(name);
  };
  return { verdict: judgeSpf(answer('d'), OURS, lookUp), asked };
}

/** `d` includes one after another, the last of which includes ours. */
const chain = (length: number): Record<string, string> => {
  const names: Record<string, string> = { d: 'v=spf1 include:c1 ~all' };
  for (let n = 1; n < length; n++) names[`c${n}`] = `v=spf1 include:c${n + 1} ~all`;
  names[`c${length}`] = `v=spf1 include:${OURS} ~all`;
  return names;
};

test.each([
  [`v=spf1 include:${OURS} ~all`, 'verified'],
  [`V=SPF1  INCLUDE:${OURS.toUpperCase()}.  -ALL`, 'verified'],
  [`v=spf1 ip4:192.0.2.1 +include:${OURS} ?all`, 'verified'],
  [`v=spf1 redirect=${OURS}`, 'verified'],
  [`v=spf1 a mx exp=why.example.com include:${OURS}`, 'verified'],
  ['v=spf1 ~all', 'wrong'],
  ['v=spf1', 'wrong'],
  [`v=spf1 -include:${OURS} ~all`, 'wrong'],
  [`v=spf1 -all include:${OURS}`, 'wrong'],
  [`v=spf1 ~all redirect=${OURS}`, 'wrong'],
  [`v=spf1 includes:${OURS} ~all`, 'wrong'],
  [`v=spf1 include:${OURS}.example.com ~all`, 'wrong'],
  [`v=spf10 include:${OURS} ~all`, 'wrong'],
  [`spf1 include:${OURS} ~all`, 'wrong'],
])('%s is %s', async (record, verdict) => {
  expect(await judged({ d: record }).verdict).toBe(verdict);
});

test('two SPF records are none; other texts do not matter', async () => {
  const right = `v=spf1 include:${OURS} ~all`;
  expect(await judged({ d: [right, 'v=spf1 -all'] }).verdict).toBe('wrong');
  expect(await judged({ d: [right, right] }).verdict).toBe('wrong');
  expect(await judged({ d: ['some other text', right] }).verdict).toBe('verified');
  expect(await judged({}).verdict).toBe('wrong');
  expect(await judged({ d: 'unknown' }).verdict).toBe('unknown');
});

test('the include is reached through others, and no further name is asked for than it takes', async () => {
  const through = judged({
    d: 'v=spf1 include:a include:b ~all',
    a: 'v=spf1 -all',
    b: `v=spf1 redirect=c`,
    c: `v=spf1 include:${OURS}`,
    e: '',
  });
  expect(await through.verdict).toBe('verified');
  expect(through.asked).toEqual(['a', 'b', 'c']);
  const direct = judged({ d: `v=spf1 include:a include:${OURS} ~all` });
  expect(await direct.verdict).toBe('verified');
  expect(direct.asked).toEqual([]);
});

test('ten look-ups are the most, the include of ours counted', async () => {
  expect(await judged(chain(9)).verdict).toBe('verified');
  expect(await judged(chain(10)).verdict).toBe('wrong');
  const padded = { ...chain(2), c1: 'v=spf1 a mx ptr exists:x a mx a include:c2' };
  expect(await judged(padded).verdict).toBe('verified');
  expect(await judged({ ...padded, c1: `${padded.c1.replace(' a ', ' a a ')}` }).verdict).toBe('wrong');
});

test('an SPF include that could not be looked up leaves the outcome open, unless reached elsewhere', async () => {
  expect(await judged({ d: 'v=spf1 include:a include:b', a: 'unknown', b: 'v=spf1 -all' }).verdict).toBe('unknown');
  expect(await judged({ d: 'v=spf1 include:a include:b', a: 'unknown', b: `v=spf1 include:${OURS}` }).verdict).toBe('verified');
});

test('a circle and a macro come to an end', async () => {
  const circle = judged({ d: 'v=spf1 include:e', e: 'v=spf1 include:d' });
  expect(await circle.verdict).toBe('wrong');
  expect(circle.asked).toHaveLength(10);
  expect(await judged({ d: 'v=spf1 include:%{i}._spf.example.com' }).verdict).toBe('wrong');
});

test('an SPF record is judged with at most ten questions', async () => {
  const word = fc.constantFrom('include:d', 'include:e', 'redirect=e', 'a', 'mx', '-all', '?include:d', 'ip4:192.0.2.1', 'x:y', OURS, '');
  const record = fc.array(word, { maxLength: 14 }).map((words) => ['v=spf1', ...words].join(' '));
  await fc.assert(
    fc.asyncProperty(record, record, async (d, e) => {
      const { verdict, asked } = judged({ d, e });
      expect(await verdict).toBe('wrong');
      expect(asked.length).toBeLessThanOrEqual(10);
    }),
  );
});
