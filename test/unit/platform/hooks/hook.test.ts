import { hook } from '../../../../src/platform/hooks';

test('a question that no room answers says which, and that the process is not composed', () => {
  const asked = hook<() => void>('what wakes the pumps');
  const message = 'No room answers “what wakes the pumps”: this process did not call compose()';
  expect(() => asked.answers).toThrow(message);
  expect(() => asked.named).toThrow(message);
  expect(() => asked.only).toThrow(message);
  expect(asked.optional).toEqual([]);
});
