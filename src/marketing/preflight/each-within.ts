/** Calls to other servers that a preflight has open at once. */
const AT_ONCE = 5;

/** Works on things in their order, five at once, the next one as soon as one is done. Begins none after `limitMs`; those left are omitted. */
export async function eachWithin<T>(things: Iterable<T>, limitMs: number, work: (thing: T) => Promise<void>): Promise<void> {
  const until = performance.now() + limitMs;
  const queue = [...things].values();
  const lane = async (): Promise<void> => {
    for (const thing of queue) if (performance.now() < until) await work(thing);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
