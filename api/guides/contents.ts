/** The guides in the order in which they are listed. What is in the folder and not here comes last. */
export const CONTENTS: readonly (readonly [group: string, names: readonly string[]])[] = [
  ['Begin', ['how-it-works', 'quickstart', 'console', 'errors', 'promises']],
  ['Messages', ['sending', 'templates', 'rendering', 'delivery', 'tracking', 'domains', 'inbound', 'receiving']],
  ['People', ['contacts', 'import-export', 'segments', 'conditions', 'suppressions', 'verify', 'erasure', 'retention']],
  ['Campaigns and automations', ['campaigns', 'automations', 'events', 'webhooks', 'stats']],
  ['Account', ['billing']],
  ['Operating', ['operating', 'configuration', 'metrics', 'tracing', 'runbook', 'durability', 'performance']],
];
