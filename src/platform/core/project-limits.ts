import type { Config } from '../config';

/** Limits that an operator may set for a project, each with the setting that holds for all other projects. */
export const PROJECT_LIMITS = {
  sendsPerSecond: 'SEND_RATE_PER_SECOND',
  sendBurst: 'SEND_RATE_BURST',
  requestsPerSecond: 'API_RATE_PER_SECOND',
  requestBurst: 'API_RATE_BURST',
  publicEventsPerMinute: 'EVENTS_PUBLIC_RATE_PER_MINUTE',
  keys: 'MAX_KEYS',
  webhooks: 'MAX_WEBHOOKS',
  segments: 'MAX_SEGMENTS',
  topics: 'MAX_TOPICS',
  workflows: 'MAX_AUTOMATIONS',
  templates: 'MAX_TEMPLATES',
  domains: 'MAX_DOMAINS',
  fields: 'MAX_FIELDS',
  retentionDays: 'RETENTION_DAYS',
  contentRetentionDays: 'CONTENT_RETENTION_DAYS',
} as const satisfies Readonly<Record<string, keyof Config>>;

export type LimitName = keyof typeof PROJECT_LIMITS;

type SettingOf<N extends LimitName> = (typeof PROJECT_LIMITS)[N];

/** Settings of the installation that a project's own limits replace. */
export type LimitSettings = Pick<Config, SettingOf<LimitName>>;

/** A project, which may have limits of its own. */
export interface Limited {
  readonly limits?: Readonly<Partial<Record<LimitName, number>>>;
}

/** Returns the limit that holds for a project: its own, or that of the installation. */
export const limitOf = <N extends LimitName>(config: Pick<Config, SettingOf<N>>, { limits }: Limited, name: N): number =>
  limits?.[name] ?? config[PROJECT_LIMITS[name] as SettingOf<N>];
