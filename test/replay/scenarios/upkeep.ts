import { HOUR, MINUTE, SECOND, fails, failsOnce, pass, signal, update } from './scenario';
import type { Scenario, Stage } from './scenario';

const importKey = { importId: 'imp_1', projectId: 'prj_1' };
const progress = (status: string, processed: number) => ({
  status,
  totalRows: 20,
  processed,
  created: processed,
  updated: 0,
  skipped: 0,
  failed: 0,
});
const imports = { workflow: 'contactImport', input: importKey } as const;

const domain = { workflow: 'domainVerification', input: { domainId: 'dom_1', projectId: 'prj_1' } } as const;
const erasure = { workflow: 'erasure', input: { erasureId: 'ers_1', projectId: 'prj_1' } } as const;
const erased = (status: string, waitMs: number) => ({ status, contacts: 1, erased: 3, open: status === 'waiting' ? 1 : 0, waitMs });
const removal = { workflow: 'projectRemoval', input: { projectId: 'prj_1' } } as const;
const removed = (status: string, waitMs: number) => ({ status, step: 'emails', removed: 3, waitMs });
const kept = (after: string | null | undefined) => ({ counts: { emails: 2 }, ...(after !== undefined && { next: { after } }) });
const ramp = { workflow: 'ramp', input: { transport: 'fresh' } } as const;
const rampDay =
  (step: number, heldBack: string | null, waitMs = 24 * HOUR) =>
  ({ now }: { readonly now: number }) => ({ nextAt: new Date(now + waitMs).toISOString(), step, amount: 50 * step, heldBack });
const rounds = { rounds: 2, everyMs: 10 * SECOND };

const subscription = { workflow: 'subscription', input: { subscriptionId: 'sub_1', projectId: 'prj_1' } } as const;
const checkout = { workflow: 'checkout', input: { sessionId: 'cks_1', projectId: 'prj_1' } } as const;
const optIn = { workflow: 'optIn', input: { optInId: 'opt_1', projectId: 'prj_1' } } as const;
const optInOutlook = (waitMs: number, mails = 1) => ({ status: 'pending', mails, waitMs });
const approval = { workflow: 'approval', input: { approvalId: 'apr_1', projectId: 'prj_1' } } as const;
const pending = (waitMs: number) => ({ state: 'pending', waitMs });
const over = (state: string) => ({ state, waitMs: null });
const snooze = { workflow: 'snooze', input: { contactId: 'ctc_1', projectId: 'prj_1' } } as const;
async function decidedMeanwhile(stage: Stage): Promise<object> {
  await stage.signal('decided');
  return over('rejected');
}
const inDays =
  (days: number) =>
  ({ now }: { readonly now: number }) =>
    new Date(now + days * 24 * HOUR).toISOString();
const outlook = (waitMs: number) => ({ status: 'active', waitMs });

const pumpOf = (workflow: string) => ({ workflow, queue: 'pumps', input: { shard: 3 }, isEndless: true }) as const;
const due =
  (ms: number, more: object = {}) =>
  ({ now }: { readonly now: number }) => ({ handled: 2, nextDueAt: now + ms, ...more });
const idle = { handled: 0, nextDueAt: null };

const retry = { workflow: 'webhookRetry', queue: 'pumps', input: { webhookId: 'whk_1', projectId: 'prj_1' } } as const;
const waiting = (waitMs: number) => ({
  waiting: { deliveries: 1, isMore: false, since: '2026-01-01T00:00:00.000Z', lastError: 'HTTP 500', nextAttemptAt: null },
  waitMs,
});

const pumps: readonly Scenario[] = [
  {
    ...pumpOf('deliveryPump'),
    name: 'delivery-pump.timer-and-signal',
    answers: { pumpDelivery: [due(HOUR), idle] },
    steps: [pass(2 * HOUR), signal('wake')],
  },
  {
    ...pumpOf('deliveryPump'),
    name: 'delivery-pump.moved',
    answers: { pumpDelivery: [{ ...idle, moveTo: 'delivery/gone' }, idle] },
    steps: [pass(MINUTE)],
  },
  {
    ...pumpOf('fanOutPump'),
    name: 'fan-out-pump.more-and-signal',
    answers: {
      pumpFanOut: [
        { handled: 4, more: true },
        { handled: 0, more: false },
      ],
    },
    steps: [signal('wake')],
  },
  {
    ...pumpOf('webhookPump'),
    name: 'webhook-pump.timer-and-signal',
    answers: { pumpWebhooks: [due(HOUR), idle] },
    steps: [pass(2 * HOUR), signal('wake')],
  },
  { ...pumpOf('deliveryPump'), name: 'delivery-pump.continued', answers: { pumpDelivery: [due(-1)] }, isContinued: true },
];

export const upkeepScenarios: readonly Scenario[] = [
  ...pumps,
  {
    ...optIn,
    name: 'opt-in.reminded-and-over',
    answers: { optInTurn: [optInOutlook(24 * HOUR), optInOutlook(144 * HOUR, 2), null] },
    steps: [pass(25 * HOUR), pass(145 * HOUR)],
  },
  {
    ...optIn,
    name: 'opt-in.asked-again',
    answers: { optInTurn: [failsOnce, optInOutlook(24 * HOUR), optInOutlook(24 * HOUR), null] },
    steps: [signal('asked'), pass(25 * HOUR)],
  },
  { ...optIn, name: 'opt-in.continued', answers: { optInTurn: [optInOutlook(1)] }, isContinued: true },
  {
    ...approval,
    name: 'approval.approved',
    answers: { approvalTurn: [failsOnce, pending(24 * HOUR), over('executed')] },
    steps: [signal('decided')],
  },
  { ...approval, name: 'approval.expired', answers: { approvalTurn: [pending(24 * HOUR), over('expired')] }, steps: [pass(25 * HOUR)] },
  {
    ...approval,
    name: 'approval.decided-meanwhile',
    answers: { approvalTurn: [(_input: unknown, _now: number, stage: Stage) => decidedMeanwhile(stage), over('rejected')] },
  },
  {
    ...imports,
    name: 'contact-import.completed',
    answers: { planContactImport: [progress('processing', 0)], importContactRows: [progress('processing', 10), progress('completed', 20)] },
  },
  {
    ...imports,
    name: 'contact-import.failed',
    answers: { planContactImport: [progress('processing', 0)], importContactRows: [fails], failContactImport: [progress('failed', 0)] },
  },
  {
    ...imports,
    name: 'contact-import.continued',
    answers: { planContactImport: [progress('processing', 0)], importContactRows: [progress('processing', 10)] },
    isContinued: true,
  },
  { name: 'contact-fields.done', workflow: 'recountContactFields' },
  {
    ...domain,
    name: 'domain-verification.asked-verified-gone',
    answers: {
      checkDomain: [
        { status: 'pending', waitMs: 5 * MINUTE },
        { status: 'verified', waitMs: 24 * HOUR },
        { status: 'verified', waitMs: 30 * SECOND },
        null,
      ],
    },
    steps: [update('check'), signal('lookAgain')],
  },
  {
    ...domain,
    name: 'domain-verification.left-out',
    answers: { checkDomain: [fails, { status: 'failed', waitMs: null }] },
  },
  {
    ...domain,
    name: 'domain-verification.continued',
    answers: { checkDomain: [{ status: 'pending', waitMs: 1 }] },
    isContinued: true,
  },
  { ...erasure, name: 'erasure.done', answers: { eraseTurn: [erased('running', 0), erased('waiting', MINUTE), erased('completed', 0)] } },
  { ...erasure, name: 'erasure.continued', answers: { eraseTurn: [erased('running', 0)] }, isContinued: true },
  {
    ...removal,
    name: 'project-removal.done',
    answers: { removeProjectTurn: [removed('running', 0), removed('waiting', MINUTE), removed('completed', 0)] },
  },
  { ...removal, name: 'project-removal.continued', answers: { removeProjectTurn: [removed('running', 0)] }, isContinued: true },
  {
    ...ramp,
    name: 'ramp.climbs-and-ends',
    answers: {
      rampTurn: [failsOnce, rampDay(1, null), rampDay(1, 'refused'), rampDay(2, null), { ...rampDay(3, null)({ now: 0 }), nextAt: null }],
    },
  },
  { ...ramp, name: 'ramp.continued', answers: { rampTurn: [rampDay(1, null, 1)] }, isContinued: true },
  { name: 'retention.done', workflow: 'retention', answers: { retentionTurn: [kept(null), kept('prj_1'), kept(undefined)] } },
  { name: 'retention.continued', workflow: 'retention', answers: { retentionTurn: [kept('prj_1')] }, isContinued: true },
  { name: 'segment-sweep.rounds', workflow: 'segmentSweep', input: rounds, answers: { sweepSegments: [2] } },
  { name: 'segment-counts.rounds', workflow: 'segmentCounts', input: rounds },
  { name: 'sweep.rounds', workflow: 'sweep', input: rounds },
  {
    ...subscription,
    name: 'subscription.away-changed-over',
    answers: { reconcileSubscription: [fails, outlook(24 * HOUR), outlook(HOUR), null] },
    steps: [pass(20 * MINUTE), signal('subscriptionChanged')],
  },
  { ...subscription, name: 'subscription.continued', answers: { reconcileSubscription: [outlook(1)] }, isContinued: true },
  {
    ...snooze,
    name: 'snooze.changed-and-ended',
    answers: { endSnooze: [failsOnce, inDays(30), inDays(14), null] },
    steps: [pass(20 * MINUTE), signal('snoozeChanged')],
  },
  { ...checkout, name: 'checkout.away-and-found', answers: { followCheckout: [failsOnce, outlook(HOUR), fails, null] } },
  { ...checkout, name: 'checkout.continued', answers: { followCheckout: [outlook(1)] }, isContinued: true },
  {
    ...retry,
    name: 'webhook-retry.woken-and-ended',
    answers: { lookAtWebhookRetries: [waiting(HOUR), waiting(5 * SECOND), null] },
    steps: [signal('wake')],
  },
  {
    ...retry,
    name: 'webhook-retry.again-after-nothing',
    answers: { lookAtWebhookRetries: [(_input: unknown, _now: number, stage: Stage) => stage.signal('wake'), null] },
  },
  { ...retry, name: 'webhook-retry.continued', answers: { lookAtWebhookRetries: [waiting(1)] }, isContinued: true },
];
