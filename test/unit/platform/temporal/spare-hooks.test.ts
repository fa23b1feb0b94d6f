import { AsyncLocalStorage } from 'node:async_hooks';
import { spareHooks } from '../../../../src/platform/temporal/spare-hooks';

function spared(): AsyncLocalStorage<string> {
  const storage = new AsyncLocalStorage<string>();
  spareHooks(storage);
  return storage;
}

test('a value is held while the function begins that it is for, and the one around it again after it', () => {
  const storage = spared();
  const inner = (suffix: string) => `${storage.getStore()}${suffix}`;
  const seen = storage.run('outer', () => [storage.getStore(), storage.run('inner', inner, '!'), storage.getStore()]);
  expect([seen, storage.getStore()]).toEqual([['outer', 'inner!', 'outer'], undefined]);
});

test('a function that throws leaves nothing behind', () => {
  const storage = spared();
  expect(() =>
    storage.run('held', () => {
      throw new Error(storage.getStore());
    }),
  ).toThrow('held');
  expect(storage.getStore()).toBeUndefined();
});

test('a value is not held once its function has waited', async () => {
  const storage = spared();
  const later = await storage.run('held', async () => {
    await Promise.resolve();
    return storage.getStore();
  });
  expect(later).toBeUndefined();
});
