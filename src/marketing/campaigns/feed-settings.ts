import type { Context, ErrorDetail } from '../../platform/core';
import { urlFaultNow } from '../../platform/http-client';
import type { Campaign } from './model';

const fault = (path: string, code: ErrorDetail['code'], message: string): ErrorDetail => ({ path, code, message });

/** Finds faults in the feed of a campaign: it belongs to a schedule, and its URL is one that may be called. */
export async function feedFaults(
  { core: { config, dns } }: Context,
  { feed, schedule, evergreen = false }: Campaign,
  given: { readonly feed?: Campaign['feed'] | undefined },
): Promise<readonly ErrorDetail[]> {
  if (!feed) return [];
  const blocked = given.feed ? await urlFaultNow(dns, new URL(feed.url), config) : null;
  return [
    ...(schedule ? [] : [fault('feed', 'invalid_combination', 'A feed needs a schedule')]),
    ...(evergreen
      ? [fault('feed', 'invalid_combination', 'An evergreen campaign cannot have a feed: all its turns send the same content')]
      : []),
    ...(blocked === null ? [] : [fault('feed.url', 'blocked_url', blocked)]),
  ];
}
