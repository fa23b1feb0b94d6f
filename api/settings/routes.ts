import type { Context, ProjectFacts } from '../../src/platform/core';
import { AppError, invalidState } from '../../src/platform/core';
import { hasSecondFactor } from '../../src/records/members';
import { IP_KEPT, changeSettings, getProject } from '../../src/records/projects';
import type { Grant } from '../../src/records/projects';
import { trackingOf } from '../../src/rules/tracking';
import { endpoint, extensions } from '../http/endpoint';
import { z } from 'zod';
import { BrandChange, ShownBrand, toBrand } from './brand';
import { FrequencyCaps, ShownCaps, checkTopics } from './frequency-caps';
import { extended, name as projectName, trackingWish } from '../http/pieces';
import { SendWindows, ShownWindows } from '../http/send-windows';

type Shown = Pick<
  ProjectFacts,
  'name' | 'tracking' | 'consent' | 'brand' | 'windows' | 'frequencyCaps' | 'approvalNeededAbove' | 'membersNeedSecondFactor'
>;

const toSettings = ({
  name,
  tracking,
  consent,
  brand,
  windows,
  frequencyCaps = [],
  approvalNeededAbove,
  membersNeedSecondFactor,
}: Shown) => ({
  name,
  consent: { ip: consent?.ip ?? ('hash' as const) },
  tracking: { transactional: trackingOf([tracking?.transactional]), marketing: trackingOf([tracking?.marketing]) },
  brand: toBrand(brand),
  windows: windows ?? null,
  frequencyCaps,
  approvalNeededAbove: approvalNeededAbove ?? null,
  membersNeedSecondFactor: membersNeedSecondFactor ?? false,
});

const byType = <T extends z.ZodType>(wish: T) => ({
  transactional: wish.meta({ description: 'For mail of the type `transactional`' }),
  marketing: wish.meta({ description: 'For mail of the type `marketing`, including campaigns' }),
});

const NAME = 'The project name, shown on public pages and in the console';

const WINDOWS = 'When marketing mail may go out, unless a campaign or an automation has windows of its own; null for any time';

const APPROVAL_NEEDED =
  'A campaign or a batch with more recipients than this needs an approval, by another key or session than the one that requests it; null for never';

const SECOND_FACTOR =
  'Whether members need a second factor to work in the project. Only an owner who has one can turn it on. Applies from the next request of each session';

const CONSENT = 'Settings of the ledger of consent';

const keptIp = z.enum(IP_KEPT).meta({
  description: 'IP addresses of people who sign up and confirm: not stored, stored as a keyed hash (the default), or stored in full',
});

const UpdateSettings = z.strictObject({
  name: extended(projectName.optional(), NAME),
  consent: extended(z.strictObject({ ip: keptIp }).optional(), CONSENT),
  tracking: extended(
    z.strictObject(byType(trackingWish.nullable().optional())).optional(),
    'The default tracking of messages that do not set it; null resets it',
  ),
  brand: BrandChange,
  windows: extended(SendWindows.nullable().optional(), WINDOWS),
  frequencyCaps: FrequencyCaps,
  approvalNeededAbove: extended(z.int().min(0).max(1_000_000_000).nullable().optional(), APPROVAL_NEEDED),
  membersNeedSecondFactor: extended(z.boolean().optional(), SECOND_FACTOR),
});

const Followed = z
  .object({
    opens: z.boolean().meta({ description: 'Whether opens are tracked' }),
    clicks: z.boolean().meta({ description: 'Whether clicks are tracked' }),
  })
  .meta({ id: 'Followed', description: 'Tracking settings' });

const Settings = z
  .object({
    name: z.string().meta({ description: NAME }),
    consent: z.object({ ip: keptIp }).meta({ description: CONSENT }),
    tracking: z.object(byType(Followed)).meta({ description: 'The default tracking of messages that do not set it' }),
    brand: ShownBrand,
    windows: ShownWindows.nullable().meta({ description: WINDOWS }),
    frequencyCaps: ShownCaps,
    approvalNeededAbove: z.int().nullable().meta({ description: APPROVAL_NEEDED }),
    membersNeedSecondFactor: z.boolean().meta({ description: SECOND_FACTOR }),
  })
  .meta({ id: 'Settings' });

/** Checks who changes whether a second factor is needed. Throws `forbidden`, and `invalid_state` for a person who would be the first one without. */
async function checkSecondFactor(
  { project, personId }: Context,
  grant: Grant | null,
  needed = project.membersNeedSecondFactor,
): Promise<void> {
  if ((needed ?? false) === (project.membersNeedSecondFactor ?? false)) return;
  if (grant !== 'owner') throw new AppError('forbidden', 'Only an owner can change whether members need a second factor');
  if (needed && personId !== undefined && !(await hasSecondFactor(personId)))
    throw invalidState('Set up a second factor of your own first, under Account');
}

export const settingsExtensions = extensions('Extensions', [
  endpoint('GET /v1/settings', {
    operationId: 'getSettings',
    summary: "Get the project's settings",
    response: Settings,
    handle: ({ ctx }) => Promise.resolve(toSettings(ctx.project)),
  }),
  endpoint('PATCH /v1/settings', {
    operationId: 'updateSettings',
    summary: "Change the project's settings",
    description: 'A change applies to messages accepted after it, and to batches of campaigns that start after it.',
    request: { body: UpdateSettings },
    response: Settings,
    errors: ['forbidden', 'invalid_state'],
    audit: ({ body }) => (Object.keys(body).length > 0 ? ['settings.update', null] : null),
    handle: async ({ ctx, scope, body }) => {
      await checkSecondFactor(ctx, scope, body.membersNeedSecondFactor);
      await checkTopics(ctx.projectId, body.frequencyCaps ?? []);
      await changeSettings(ctx.projectId, body);
      return toSettings(await getProject(ctx.projectId));
    },
  }),
]);
