import type {
  SeriesOutlook,
  SeriesWait,
  CampaignCursor,
  CampaignPageResult,
  CampaignPlan,
  FinishResult,
} from '../../../src/contracts/campaign';
import { HOUR, MINUTE, cancel, failsOnce, inTime, pass, signal } from './scenario';
import type { Scenario } from './scenario';

const key = { campaignId: 'cmp_1', projectId: 'prj_1' };
const PAST = '2026-01-01T00:00:00.000Z';
const FAR = '2100-01-01T00:00:00.000Z';

const plan = (more: Partial<CampaignPlan> = {}): CampaignPlan => ({
  total: 300,
  throttlePerMinute: null,
  ab: null,
  pageRows: 1_000,
  pagesAtOnce: 3,
  queues: ['delivery/one'],
  ...more,
});
const experiment =
  (boundary: string | null) =>
  (_key: unknown, now: number): CampaignPlan =>
    plan({ total: 50, ab: { sample: 20, boundary, decideAt: inTime(now, 4) } });

const sent: CampaignPageResult = { sent: 1, skipped: 0, done: true, held: null, queues: ['delivery/one'] };
const held: CampaignPageResult = { ...sent, sent: 0, done: false, held: 'limit_reached' };
const paused =
  (hours: number | null) =>
  (_input: unknown, now: number): CampaignPageResult => ({
    ...held,
    held: 'paused',
    pausedUntil: hours === null ? null : inTime(now, hours),
  });
const ended: FinishResult = { pending: 0, sent: 300, skipped: 0 };

const send = { workflow: 'campaignSend', input: { ...key, scheduledFor: null } } as const;
const scheduled = { ...send, input: (now: number) => ({ ...key, scheduledFor: inTime(now, 72) }) } as const;
const begun = (of: CampaignPlan | ReturnType<typeof experiment>) => ({
  beginCampaign: [true],
  freezeCampaign: [of],
  sendCampaignPage: [sent],
  finishCampaign: [ended],
});

const STEPS: NonNullable<CampaignPlan['rollout']> = [
  { percent: 1, rows: 1, to: '33333333ctc_x' },
  { percent: 50, rows: 1, to: '66666666ctc_y' },
  { percent: 100, rows: 1, to: null },
];

const resumedAt: CampaignCursor = { plan: plan(), stage: 'sample', winner: null, page: 1, from: null, notBefore: 0, sent: 100, skipped: 1 };

const series = { workflow: 'campaignSeries', input: key } as const;
const seriesWaits =
  (waitsFor: SeriesWait, ms: number | null, turns: number) =>
  ({ now }: { readonly now: number }): SeriesOutlook => ({
    waitsFor,
    until: ms === null ? null : new Date(now + ms).toISOString(),
    nextAt: waitsFor === 'last' ? null : new Date(now + 24 * HOUR).toISOString(),
    turns,
  });
const seriesOver: SeriesOutlook = { waitsFor: null, until: null, nextAt: null, turns: 0 };

export const campaignScenarios: readonly Scenario[] = [
  { ...send, name: 'campaign-send.sent', answers: { ...begun(plan()), sendCampaignPage: [{ ...sent, done: false }, sent] } },
  {
    ...send,
    name: 'campaign-send.missed',
    answers: { ...begun(plan({ total: 3 })), finishCampaign: [{ ...ended, pending: 2 }, ended] },
  },
  {
    ...send,
    name: 'campaign-send.capped',
    answers: {
      ...begun(plan({ total: 3 })),
      sendCampaignPage: [{ ...sent, laterAt: PAST }, sent],
      finishCampaign: [{ ...ended, pending: 1 }, ended],
    },
  },
  {
    ...send,
    name: 'campaign-send.refused',
    answers: {
      ...begun(plan({ total: 3 })),
      sendCampaignPage: [{ ...sent, laterAt: PAST, refused: { google: 2 } }, sent],
      finishCampaign: [{ ...ended, pending: 2 }, ended],
      checkProviders: [(_input: unknown, now: number) => ({ nextAt: now + HOUR }), { nextAt: null }],
    },
  },
  { ...send, name: 'campaign-send.shared', answers: begun(plan({ total: 3, queues: ['delivery/gone', 'delivery/lost'] })) },
  {
    ...send,
    name: 'campaign-send.throttled',
    answers: { ...begun(plan({ total: 20, throttlePerMinute: 600 })), nextCampaignRange: ['5', null] },
  },
  {
    ...send,
    name: 'campaign-send.in-turns',
    answers: {
      ...begun(plan({ total: 4, inTurns: true })),
      nextCampaignTurn: [
        (_input: unknown, now: number) => ({ at: now, rows: 2 }),
        (_input: unknown, now: number) => ({ at: now + HOUR, rows: 2 }),
        null,
      ],
    },
  },
  {
    ...send,
    name: 'campaign-send.rollout',
    answers: {
      ...begun(plan({ total: 3, rollout: STEPS })),
      checkRollout: [
        (_input: unknown, now: number) => ({ state: 'waits', until: now + HOUR, held: null }),
        { state: 'passed', until: null, held: null },
        (_input: unknown, now: number) => ({ state: 'waits', until: now + HOUR, held: null }),
        { state: 'held', until: null, held: 'rollout_stopped' },
        { state: 'passed', until: null, held: null },
      ],
    },
    steps: [pass(3 * HOUR), signal('resumed')],
  },
  {
    ...send,
    name: 'campaign-send.rollout-continued',
    answers: {
      ...begun(plan({ total: 3, rollout: STEPS })),
      checkRollout: [
        ...Array.from({ length: 6 }, () => (_input: unknown, now: number) => ({ state: 'waits', until: now + 100, held: null })),
        { state: 'passed', until: null, held: null },
      ],
    },
    isContinued: true,
  },
  { ...send, name: 'campaign-send.experiment', answers: { ...begun(experiment('33333333ctc_x')), decideCampaign: ['b'] } },
  { ...send, name: 'campaign-send.experiment-on-all', answers: { ...begun(experiment(null)), decideCampaign: ['a'] } },
  {
    ...send,
    name: 'campaign-send.gathers',
    input: { ...key, scheduledFor: PAST, gathers: true },
    answers: { ...begun(plan({ total: 3 })), gatherNonOpeners: [true] },
  },
  {
    ...send,
    name: 'campaign-send.held-and-cancelled',
    answers: { ...begun(plan({ total: 3 })), sendCampaignPage: [held] },
    steps: [pass(5_000), signal('cancel')],
  },
  {
    ...send,
    name: 'campaign-send.paused-and-resumed',
    answers: { ...begun(plan({ total: 3 })), sendCampaignPage: [paused(null), paused(1), sent], endCampaignPause: [undefined] },
    steps: [pass(5_000), signal('resumed')],
  },
  {
    ...send,
    name: 'campaign-send.unscheduled',
    input: { ...key, scheduledFor: FAR },
    steps: [signal('unscheduled', FAR)],
  },
  { ...scheduled, name: 'campaign-send.scheduled-and-cancelled', answers: { finishCampaign: [ended] }, steps: [signal('cancel')] },
  { ...scheduled, name: 'campaign-send.cancelled-in-temporal', answers: { finishCampaign: [ended] }, steps: [cancel] },
  {
    ...scheduled,
    name: 'campaign-send.wanted',
    answers: { beginCampaign: [false], finishCampaign: [ended] },
    steps: [signal('wanted', { ...key, scheduledFor: PAST })],
  },
  {
    ...send,
    name: 'campaign-send.found-over',
    answers: { beginCampaign: [false], finishCampaign: [{ ...ended, decideAt: PAST }], decideCampaign: ['a'] },
  },
  { ...send, name: 'campaign-send.behind', answers: { ...begun(plan({ total: 3 })), finishCampaign: [{ ...ended, behind: true }, ended] } },
  { ...send, name: 'campaign-send.resumed', input: { ...send.input, cursor: resumedAt }, answers: begun(plan()) },
  { ...send, name: 'campaign-send.continued', answers: begun(plan({ total: 40_000, pagesAtOnce: 1 })), isContinued: true },
  {
    ...series,
    name: 'campaign-series.turns-and-end',
    answers: {
      seriesTurn: [
        failsOnce,
        seriesWaits('turn', 24 * HOUR, 0),
        seriesWaits('previous', MINUTE, 1),
        seriesWaits('last', MINUTE, 2),
        seriesOver,
      ],
    },
  },
  {
    ...series,
    name: 'campaign-series.paused-asked-and-cancelled',
    answers: { seriesTurn: [seriesWaits('pause', HOUR, 0), seriesWaits('answer', null, 0), seriesWaits('project', MINUTE, 1), seriesOver] },
    steps: [signal('resumed'), signal('resumed'), signal('cancel')],
  },
  {
    ...series,
    name: 'campaign-series.feed',
    answers: {
      seriesTurn: [
        // The feed is down, is tried again after a minute, and is then read.
        seriesWaits('feed', null, 0),
        seriesWaits('feed', MINUTE, 0),
        seriesWaits('feed', null, 0),
        seriesWaits('last', MINUTE, 1),
        seriesOver,
      ],
    },
  },
  { ...series, name: 'campaign-series.continued', answers: { seriesTurn: [seriesWaits('turn', 1, 0)] }, isContinued: true },
  {
    name: 'campaign-ab.decided',
    workflow: 'campaignAb',
    input: (now: number) => ({ ...key, decideAt: inTime(now, 4) }),
    answers: { decideCampaign: ['b'] },
  },
  { name: 'campaign-removal.done', workflow: 'campaignRemoval', input: key },
  {
    name: 'webhook-removal.done',
    workflow: 'webhookRemoval',
    input: { webhookId: 'whk_1', projectId: 'prj_1' },
  },
  ...deferredAndScheduled(),
];

function deferredAndScheduled(): readonly Scenario[] {
  const list = { projectId: 'prj_1', list: 1, emailIds: ['em_1', 'em_2'], firstAt: Date.parse(PAST) };
  const minute = { projectId: 'prj_1', minute: PAST };
  const waiting =
    (ms: number, emailIds: readonly string[]) =>
    ({ now }: { readonly now: number }) => {
      const at = new Date(now + ms).toISOString();
      return { waiting: emailIds.length, emailIds, recipientIds: ['ctc_1'], nextAt: at, lastAt: at };
    };
  const nothing = { waiting: 0, emailIds: [], recipientIds: [], nextAt: null, lastAt: null };
  const deferred = { workflow: 'deferredMail', input: list } as const;
  const keeps = { workflow: 'scheduledSend', input: minute } as const;
  return [
    { ...deferred, name: 'deferred-mail.told-and-empty', steps: [signal('list', { ...list, emailIds: ['em_2'] }), signal('empty')] },
    {
      ...deferred,
      name: 'deferred-mail.continued',
      steps: Array.from({ length: 5 }, () => signal('list', list)),
      isContinued: true,
    },
    { ...keeps, name: 'scheduled-send.continued', answers: { releaseScheduled: [waiting(100, ['em_1'])] }, isContinued: true },
    { ...keeps, name: 'scheduled-send.released', answers: { releaseScheduled: [waiting(HOUR, ['em_1', 'em_2']), nothing] } },
    {
      ...keeps,
      name: 'scheduled-send.changed',
      answers: { releaseScheduled: [waiting(HOUR, ['em_1']), waiting(HOUR, ['em_1']), waiting(MINUTE, ['em_2', 'em_1']), nothing] },
      steps: [signal('changed', {}), pass(5_000), signal('changed', { ...minute, soon: true })],
    },
    {
      ...keeps,
      name: 'scheduled-send.cancelled',
      answers: { releaseScheduled: [waiting(HOUR, ['em_1'])], cancelScheduledMinute: [1] },
      steps: [cancel],
    },
  ];
}
