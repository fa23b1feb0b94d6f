import type { StartIntent } from './processes';

/** Workflows that belong to no project: pumps, and what schedules start. There are few of each, however many projects there are. */
export type PlatformWorkflow =
  | 'deliveryPump'
  | 'fanOutPump'
  | 'webhookPump'
  | 'sweep'
  | 'segmentSweep'
  | 'segmentCounts'
  | 'recountContactFields'
  | 'ramp'
  | 'retention';

/**
 * Which of the tasks that wait in a task queue goes first: 1 before 2, and so on to 5. The activities and children of a workflow inherit it, and so does the run
 * that continues it. Only what is small or bounded may come before what customers have without bound: a backlog of one level holds up all levels below it.
 */
export const PRIORITIES: Readonly<Record<StartIntent['workflow'] | PlatformWorkflow, 1 | 2 | 3 | 4 | 5>> = {
  deliveryPump: 1,
  fanOutPump: 1,
  webhookPump: 1,
  sweep: 1,
  ramp: 1,

  scheduledSend: 2,
  deferredMail: 2,
  webhookRetry: 2,
  checkout: 2,
  subscription: 2,
  snooze: 2,
  domainVerification: 2,
  optIn: 2,
  approval: 2,

  automationRun: 3,
  automationNudge: 3,
  segmentCounts: 3,
  erasure: 3,

  campaignSend: 4,
  campaignSeries: 4,
  segmentSweep: 4,

  contactImport: 5,
  campaignRemoval: 5,
  webhookRemoval: 5,
  projectRemoval: 5,
  recountContactFields: 5,
  retention: 5,
};
