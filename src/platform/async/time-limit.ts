import { AppError } from '../core';

/**
 * Fails with `unavailable` when `work` takes longer than `limitMs`. The MongoDB driver can wait forever on a socket that closed between its
 * checkout and the write, so a caller that must not hang limits its wait. The work itself continues, and its result is dropped.
 */
export async function withinLimit<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new AppError('unavailable', 'This took too long; try again', [], { headers: { 'Retry-After': '2' } })),
      limitMs,
    );
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
