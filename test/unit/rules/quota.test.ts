import { judgeQuota } from '../../../src/rules/quota';
import type { QuotaFacts, QuotaUsage } from '../../../src/rules/quota';

const FREE_OF_CAPS: QuotaFacts['caps'] = { overall: null, transactional: null, campaign: null, workflow: null, inbound: null };
const QUOTAS = { free: 3000, starter: 50_000, growth: 250_000 };
const NOTHING = { transactional: 0, campaign: 0, workflow: 0, inbound: 0 };

const facts = (change: Partial<QuotaFacts> = {}): QuotaFacts => ({
  caps: FREE_OF_CAPS,
  plan: 'free',
  enforced: true,
  quotas: QUOTAS,
  ...change,
});
const usage = (change: Partial<QuotaUsage> = {}): QuotaUsage => ({ used: 0, credits: 0, categories: NOTHING, ...change });
const caps = (change: Partial<QuotaFacts['caps']>): QuotaFacts['caps'] => ({ ...FREE_OF_CAPS, ...change });

test.each([
  ['nothing used', facts(), usage(), 'transactional', 1, null],
  ['the last credit', facts(), usage({ credits: 2999 }), 'transactional', 1, null],
  ['no credit left', facts(), usage({ credits: 3000 }), 'transactional', 1, 'free_tier_exceeded'],
  ['more needed than is left', facts(), usage({ credits: 2999 }), 'transactional', 2, 'free_tier_exceeded'],
  ['no credit left on a paid plan', facts({ plan: 'starter' }), usage({ credits: 50_000 }), 'campaign', 1, 'plan_quota_exceeded'],
  ['the largest plan', facts({ plan: 'growth' }), usage({ credits: 249_999 }), 'workflow', 1, null],
  ['a quota that is not enforced', facts({ enforced: false }), usage({ credits: 1e9 }), 'transactional', 2, null],
  ['the last message of the overall cap', facts({ caps: caps({ overall: 5 }) }), usage({ used: 4 }), 'transactional', 2, null],
  ['the overall cap reached', facts({ caps: caps({ overall: 5 }) }), usage({ used: 5 }), 'transactional', 1, 'limit_reached'],
  ['an overall cap of zero', facts({ caps: caps({ overall: 0 }) }), usage(), 'transactional', 1, 'limit_reached'],
  [
    'the category cap reached',
    facts({ caps: caps({ campaign: 2 }) }),
    usage({ used: 2, categories: { ...NOTHING, campaign: 2 } }),
    'campaign',
    1,
    'limit_reached',
  ],
  [
    "another category's cap reached",
    facts({ caps: caps({ campaign: 2 }) }),
    usage({ used: 2, categories: { ...NOTHING, campaign: 2 } }),
    'workflow',
    1,
    null,
  ],
  ['a cap before the quota', facts({ caps: caps({ overall: 5 }) }), usage({ used: 5, credits: 3000 }), 'transactional', 1, 'limit_reached'],
  [
    'caps without enforced quota',
    facts({ caps: caps({ overall: 5 }), enforced: false }),
    usage({ used: 5 }),
    'transactional',
    1,
    'limit_reached',
  ],
  [
    'inbound past the overall cap and the quota',
    facts({ caps: caps({ overall: 5 }) }),
    usage({ used: 5, credits: 3000 }),
    'inbound',
    0,
    null,
  ],
  [
    'inbound past its own cap',
    facts({ caps: caps({ inbound: 1 }) }),
    usage({ categories: { ...NOTHING, inbound: 1 } }),
    'inbound',
    0,
    'limit_reached',
  ],
] as const)('quota and caps: %s', (_case, given, used, source, credits, expected) => {
  expect(judgeQuota(given, used, source, credits)).toBe(expected);
});

test('the first messages fit with n credits left, and the rest does not', () => {
  const running = { used: 0, credits: 2990, categories: { ...NOTHING } };
  const verdicts = Array.from({ length: 20 }, () => {
    const verdict = judgeQuota(facts(), running, 'transactional', 1);
    if (verdict === null) running.credits += 1;
    return verdict;
  });
  expect(verdicts).toEqual([...Array<null>(10).fill(null), ...Array<string>(10).fill('free_tier_exceeded')]);
});
