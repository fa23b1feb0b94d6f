import { counter, gauge, histogram } from './declare';

/** Buckets for durations that a caller of the API waits for. */
const QUICK = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** From the next moment to a day: mail that waits. */
const LONG = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800, 7_200, 86_400];

const KINDS = ['transactional', 'campaign', 'workflow'] as const;

/** The processes that have metrics. */
export const EVERYWHERE = ['api', 'worker', 'smtp'] as const;

/** Every metric of ours. What a message costs is counted for many at once: a campaign sends thousands a second in one thread. */
export const metrics = {
  httpRequests: counter({
    name: 'http_requests_total',
    help: 'Requests, by the pattern of their route ("none" for an unknown path)',
    of: ['api'],
    labels: ['method', 'route', 'status'],
  }),
  httpSeconds: histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of the response',
    of: ['api'],
    labels: ['method', 'route'],
    buckets: QUICK,
  }),
  httpInFlight: gauge({ name: 'http_requests_in_flight', help: 'Requests in progress', of: ['api'] }),

  acceptSeconds: histogram({
    name: 'accept_seconds',
    help: 'Time from a valid send request to its commit',
    of: ['api', 'smtp'],
    labels: ['endpoint'],
    buckets: QUICK,
  }),
  accepted: counter({
    name: 'emails_accepted_total',
    help: 'Messages that were enqueued, except those of campaigns',
    of: ['api', 'worker', 'smtp'],
    labels: ['kind'],
    values: ['transactional', 'workflow'],
  }),

  claimed: counter({
    name: 'emails_claimed_total',
    help: 'Messages whose attempt was started',
    of: ['worker'],
    labels: ['kind'],
    values: KINDS,
  }),
  deliverySeconds: histogram({
    name: 'delivery_latency_seconds',
    help: 'Time from acceptance, or the scheduled time, to the first attempt; for campaigns, of a slice',
    of: ['worker'],
    labels: ['kind'],
    buckets: LONG,
  }),
  outcomes: counter({
    name: 'delivery_outcomes_total',
    help: 'Finished attempts: accepted, deferred, bounced, failed, logged (test mode)',
    of: ['worker'],
    labels: ['kind', 'outcome', 'provider'],
  }),
  policyRefusals: counter({
    name: 'policy_refusals_total',
    help: 'Refusals of campaign mail by rules for senders, by what is missing',
    of: ['worker'],
    labels: ['policy'],
    values: ['authentication', 'spf', 'dkim', 'dmarc', 'ptr', 'tls', 'volume'],
  }),
  inDoubt: counter({
    name: 'emails_in_doubt_total',
    help: 'Messages that are sent again because their outcome is unknown',
    of: ['worker'],
    labels: ['cause'],
    values: ['connection_broke', 'worker_lost'],
  }),
  lanes: gauge({
    name: 'smtp_lanes',
    help: 'Slots for messages being sent, SMTP_CONNECTIONS in total',
    of: ['worker'],
    labels: ['state'],
  }),
  smtpConnections: gauge({ name: 'smtp_connections_open', help: 'Outgoing SMTP connections', of: ['worker'] }),
  smtpConnects: counter({
    name: 'smtp_connects_total',
    help: 'Outgoing SMTP connection attempts; `transport` is "default" if only SMTP_URL is set',
    of: ['worker'],
    labels: ['transport', 'result'],
  }),
  transportOutcomes: counter({
    name: 'transport_outcomes_total',
    help: 'Exchanges with the server of a transport (TRANSPORTS): accepted, deferred, refused, or cut without an answer',
    of: ['worker'],
    labels: ['transport', 'outcome'],
  }),
  transportFallbacks: counter({
    name: 'transport_fallbacks_total',
    help: 'Messages that went over another transport, as this one could not be connected to',
    of: ['worker'],
    labels: ['transport'],
  }),
  rampRemaining: gauge({
    name: 'ramp_remaining',
    help: 'Messages that may go over a transport with a ramp today; where each provider has an amount, to the one with the fewest left',
    of: ['worker'],
    labels: ['transport'],
  }),
  rampHeldBack: gauge({
    name: 'ramp_held_back',
    help: '1 while a ramp does not climb because receivers refused too much for policy',
    of: ['worker'],
    labels: ['transport'],
  }),
  sendingPaused: gauge({ name: 'sending_paused', help: '1 while an operator has paused sending', of: ['worker'] }),
  leaseHeld: gauge({ name: 'delivery_lease_held', help: '1 while the process is allowed to send mail', of: ['worker'] }),

  webhookAttempts: counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver a webhook',
    of: ['worker'],
    labels: ['outcome'],
    values: ['succeeded', 'retried', 'failed'],
  }),
  webhookSeconds: histogram({
    name: 'webhook_attempt_seconds',
    help: "How long customers' servers took",
    of: ['worker'],
    buckets: QUICK,
  }),
  webhooksSwitchedOff: counter({
    name: 'webhook_endpoints_switched_off_total',
    help: 'Endpoints that the platform disabled',
    of: ['worker'],
    labels: ['reason'],
    values: ['failing', 'gone'],
  }),
  eventsHandedOn: counter({ name: 'events_handed_on_total', help: 'Events that all consumers have processed', of: ['worker'] }),
  eventsSetAside: counter({
    name: 'events_set_aside_total',
    help: 'Events that a consumer did not process; retried later',
    of: ['worker'],
  }),
  timerLag: histogram({
    name: 'timer_lag_seconds',
    help: 'How late executions of automations resumed after a delay',
    of: ['worker'],
    buckets: LONG,
  }),

  inboundConnections: gauge({ name: 'smtp_inbound_connections', help: 'Open connections of inbound SMTP', of: ['smtp'] }),
  inboundRefused: counter({ name: 'smtp_inbound_connections_refused_total', help: 'Connections beyond the limits', of: ['smtp'] }),
  inboundMessages: counter({
    name: 'smtp_inbound_messages_total',
    help: 'Messages that were stored, deferred (4xx) or refused (5xx)',
    of: ['smtp'],
    labels: ['result'],
    values: ['stored', 'put_off', 'refused'],
  }),
  domainReports: counter({
    name: 'smtp_domain_reports_total',
    help: 'DMARC and TLS reports: stored, repeated, or why not (docs/receiving.md)',
    of: ['smtp'],
    labels: ['result'],
    values: ['stored', 'repeated', 'foreign', 'untimely', 'over_limit', 'unreadable', 'unproved'],
  }),

  submissionConnections: gauge({ name: 'smtp_submission_connections', help: 'Open connections of SMTP submission', of: ['smtp'] }),
  submissionRefused: counter({
    name: 'smtp_submission_connections_refused_total',
    help: 'Connections of SMTP submission beyond the limits',
    of: ['smtp'],
  }),
  submissionMessages: counter({
    name: 'smtp_submission_messages_total',
    help: 'Submitted messages that were stored, deferred (4xx) or refused (5xx)',
    of: ['smtp'],
    labels: ['result'],
    values: ['stored', 'put_off', 'refused'],
  }),

  transactionSeconds: histogram({
    name: 'mongodb_transaction_seconds',
    help: 'Duration of transactions, including retries',
    of: EVERYWHERE,
    labels: ['result'],
    buckets: QUICK,
  }),
  transactionRetries: counter({
    name: 'mongodb_transaction_retries_total',
    help: 'Transactions retried because of a concurrent write',
    of: EVERYWHERE,
  }),
  mongoInUse: gauge({ name: 'mongodb_connections_in_use', help: 'Pool connections in use by a command', of: EVERYWHERE }),
  mongoCheckoutSeconds: histogram({
    name: 'mongodb_checkout_seconds',
    help: 'Waits for a pool connection',
    of: EVERYWHERE,
    buckets: [0.0005, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
  }),
  mongoCommandSeconds: histogram({
    name: 'mongodb_command_seconds',
    help: 'Time from a command to its response',
    of: EVERYWHERE,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10],
  }),
  mongoPingSeconds: gauge({ name: 'mongodb_ping_seconds', help: 'Duration of the last ping', of: EVERYWHERE }),
  dependencyUp: gauge({
    name: 'dependency_up',
    help: '1 while it answers; checked every two seconds',
    of: EVERYWHERE,
    labels: ['dependency'],
  }),
  build: gauge({ name: 'build_info', help: 'Always 1', of: EVERYWHERE, labels: ['version', 'part'] }),

  taskQueueWorkers: gauge({
    name: 'task_queue_workers',
    help: 'Workers that poll a task queue; each API process has the same number',
    of: ['api'],
    labels: ['task_queue'],
  }),
  processes: gauge({
    name: 'processes',
    help: 'Processes that run, or were lost within 15 minutes; each API process has the same number',
    of: ['api'],
    labels: ['part', 'state'],
  }),
  queueOldest: gauge({
    name: 'queue_oldest_due_seconds',
    help: 'How long the oldest due message of a shard has been due',
    of: ['worker'],
    labels: ['shard'],
  }),
  fanOutOldest: gauge({ name: 'fan_out_oldest_seconds', help: 'How long the oldest event has waited for the fan-out', of: ['worker'] }),
  outboxOldest: gauge({
    name: 'outbox_oldest_seconds',
    help: 'How long the oldest intent has waited for Temporal',
    of: ['worker'],
  }),
  checksOldest: gauge({
    name: 'checks_oldest_due_seconds',
    help: 'How long the most overdue check for lost workflows has been due',
    of: ['worker'],
    labels: ['kind'],
  }),
  campaignIdle: gauge({
    name: 'campaign_idle_seconds',
    help: 'How long a campaign that nothing holds has sent nothing; of several, the longest',
    of: ['worker'],
  }),
  importIdle: gauge({
    name: 'import_idle_seconds',
    help: 'How long the slowest running import has made no progress',
    of: ['worker'],
  }),
  outboxRows: gauge({ name: 'outbox_rows', help: 'Intents not yet passed to Temporal', of: ['worker'] }),
  restoreHeld: gauge({
    name: 'restore_held_emails',
    help: 'Messages that the restore fence holds',
    of: ['worker'],
  }),
  webhookOldest: gauge({
    name: 'webhook_oldest_due_seconds',
    help: 'How long the endpoint with the oldest due delivery has waited',
    of: ['worker'],
  }),
  webhookEndpoints: gauge({
    name: 'webhook_endpoints',
    help: 'Endpoints: on, failing, disabled by their owner (off) or by the platform',
    of: ['worker'],
    labels: ['state'],
  }),
  executions: gauge({ name: 'executions', help: 'Executions of automations, by state', of: ['worker'], labels: ['state'] }),
  backlogReadAt: gauge({
    name: 'backlog_read_timestamp_seconds',
    help: 'When one worker last read the backlog gauges for all',
    of: ['worker'],
  }),
};
