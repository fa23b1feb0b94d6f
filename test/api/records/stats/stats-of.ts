import type { Counter } from '../../../../src/records/stats/count';
import type { TestApp } from '../../../support/platform/app';

type Counts = Record<Counter, number>;

export interface WireStats {
  readonly from: string;
  readonly to: string;
  readonly interval: string;
  readonly totals: Counts;
  readonly rates: Record<string, number | null>;
  readonly bySource: Record<'transactional' | 'campaign' | 'workflow', Counts>;
  readonly series: readonly ({ readonly at: string } & Counts)[];
  readonly contacts: Record<'total' | 'subscribed' | 'unsubscribed' | 'suppressed', number>;
}

/** All members of Counts, those given and zeros. */
export const counts = (some: Partial<Counts> = {}): Counts => ({
  sent: 0,
  delivered: 0,
  opened: 0,
  clicked: 0,
  bounced: 0,
  complained: 0,
  failed: 0,
  unsubscribed: 0,
  received: 0,
  ...some,
});

export const statsOf = async (app: TestApp, key: string, query: object = {}): Promise<WireStats> =>
  (await app.api(key).get('/v1/stats').query(query).expect(200)).body.data as WireStats;
