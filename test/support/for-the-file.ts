/** Starts what the tests of a file need before the first of them, and ends it after the last. */
export function forTheFile<T extends object>(start: () => Promise<T>, end: (running: T) => unknown): T {
  let running: T | undefined;
  beforeAll(async () => {
    running = await start();
  });
  afterAll(async () => {
    if (running) await end(running);
  });
  const there = (): T => {
    if (!running) throw new Error('This is there within tests and hooks only');
    return running;
  };
  return new Proxy({} as T, {
    get: (_target, member): unknown => {
      const value: unknown = Reflect.get(there(), member);
      return typeof value === 'function' && isMethod(there(), member) ? value.bind(there()) : value;
    },
    set: (_target, member, value) => Reflect.set(there(), member, value),
    // For `{ ...app, keys }`.
    ownKeys: () => Reflect.ownKeys(there()),
    getOwnPropertyDescriptor: (_target, member) => {
      const own = Reflect.getOwnPropertyDescriptor(there(), member);
      return own && { ...own, configurable: true };
    },
  });
}

/** Whether a member comes from a class: called through something else, it would miss its own `this`. */
const isMethod = (object: object, member: PropertyKey): boolean => !Object.hasOwn(object, member);
