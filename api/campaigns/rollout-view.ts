import type { z } from 'zod';
import { currentStep } from '../../src/marketing/campaigns';
import type { Campaign } from '../../src/marketing/campaigns';
import type { ShownRollout } from './rollout-schemas';

type Rollout = NonNullable<Campaign['rollout']>;
type Step = Rollout['steps'][number];
type Shown = z.input<typeof ShownRollout>[number];

/** Returns how far a campaign is in a step that is `ahead` of the one that it is at; that one is 0. */
function stateOf({ status }: Campaign, { sentAt, findings = [] }: Step, ahead: number): Shown['state'] {
  if (ahead < 0 || status === 'sent') return 'done';
  if (status === 'cancelled') return 'cancelled';
  if (ahead > 0 || status !== 'sending') return 'pending';
  if (!sentAt) return 'sending';
  return findings.length > 0 ? 'held' : 'waiting';
}

function toStep(step: Step, state: Shown['state'], nextAt: Date | null): Shown {
  const { percent, wait, recipients = null, sentAt = null, counts = null, findings = [] } = step;
  const checkAt = state === 'waiting' ? nextAt : null;
  return { percent, wait, state, recipients, sentAt: iso(sentAt), checkAt: iso(checkAt), result: counts, findings };
}

const iso = (date: Date | null): string | null => date && date.toISOString();

/** Shows the steps of a campaign, and how far each is. */
export function toRollout(campaign: Campaign, rollout: Rollout): Shown[] {
  const current = currentStep(rollout);
  return rollout.steps.map((step, index) => toStep(step, stateOf(campaign, step, index - current), rollout.nextAt ?? null));
}
