/**
 * The patches of workflows, each with the schema version (src/upkeep/migrations/versions.ts) that it came with. A new workflow takes the patched way once that version is
 * contracted: until then a worker of the release before may have to go on with it, which does not know the patch.
 */
export const PATCHES: Readonly<Record<string, number>> = {
  'automation-run.runs-on': 0,
  'delivery-pump.queue': 0,
  'fan-out-pump.queue': 0,
  'webhook-pump.queue': 0,
  'sweep.contacts': 0,
  'sweep.events': 0,
  'sweep.automations': 0,
  'sweep.domains': 0,
  'sweep.webhooks': 0,
  'sweep.subscriptions': 0,
  'automation-run.due': 2,
  'domain-verification.due': 2,
  'webhook-retry.due': 2,
  'automation-run.one-mark': 2,
};
