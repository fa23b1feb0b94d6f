import { Candidates } from '../../../../src/sending/deliver/candidates';
import type { Finder } from '../../../../src/sending/deliver/delivery';
import type { Answer, Gate } from '../../../../src/sending/deliver/transport';
import type { Email } from '../../../../src/records/emails';

const finder: Finder = { clock: () => new Date(), added: () => undefined, done: () => undefined, held: () => undefined };
const message = (_id: string) => ({ _id, projectId: 'prj_1', to: `${_id}@example.com`, shard: 1 }) as Email;

test('messages that come after all were left are begun, although their project had all its lanes before', () => {
  let answer: Answer = { wait: 'project' };
  const gate = { open: true, ask: () => answer } as unknown as Gate;
  const candidates = new Candidates(
    gate,
    () => Promise.resolve(),
    () => undefined,
  );
  candidates.add([message('em_1')], finder);
  expect(candidates.take(2)).toEqual([]);
  expect(candidates.maybe).toBe(false);

  // As when the worker's lease ends: what was on the wire is over, and no round looks at those that wait.
  candidates.leave();
  answer = { go: () => undefined };
  candidates.add([message('em_2')], finder);
  expect(candidates.maybe).toBe(true);
  expect(candidates.take(2).map(({ email }) => email._id)).toEqual(['em_2']);
});
