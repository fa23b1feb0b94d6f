import { unavailable } from './errors';

/**
 * The outcome of `work`, or `unavailable` when it takes longer than `limitMs`; it goes on unobserved then. Everything below has time-outs of
 * its own, but one: the driver (7.8) waits for ever for a socket that was closed between its choice and the write.
 */
export async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unavailable('This took too long; try again')), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
