/** Generous: servers are started, on a machine that may be busy. */
const WITHIN_MS = 300_000;

/** Ends what has been started: the last first, since it depends on what was started before it. */
const ends: (() => unknown)[] = [];

/** Starts what the tests of a file need before the first of them, and ends it after the last: what was started last is ended first. */
export function forTheFile<T extends object>(start: () => Promise<T>, end: (running: T) => unknown = () => undefined): T {
  let running: T | undefined;
  beforeAll(async () => {
    const started = await start();
    running = started;
    ends.push(() => end(started));
  }, WITHIN_MS);
  afterAll(() => ends.pop()?.(), WITHIN_MS);
  return standIn(() => running);
}

/** Creates something again before each test of a file. */
export function forEachTest<T extends object>(make: () => Promise<T>): T {
  let made: T | undefined;
  beforeEach(async () => {
    made = await make();
  });
  return standIn(() => made);
}

/** Returns a stand-in for an object that is created later. */
function standIn<T extends object>(found: () => T | undefined): T {
  const there = (): T => {
    const it = found();
    if (!it) throw new Error('This is there within tests and hooks only');
    return it;
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
