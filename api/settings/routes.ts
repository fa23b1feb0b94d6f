import type { ProjectFacts } from '../../src/platform/core';
import { IP_KEPT, changeSettings, getProject } from '../../src/records/projects';
import { trackingOf } from '../../src/rules/tracking';
import { endpoint, group } from '../http/endpoint';
import { z } from 'zod';
import { BrandChange, ShownBrand, toBrand } from './brand';
import { FrequencyCaps, ShownCaps, checkTopics } from './frequency-caps';
import { extended, name as projectName, trackingWish } from '../http/pieces';
import { SendWindows, ShownWindows } from '../http/send-windows';

type Shown = Pick<ProjectFacts, 'name' | 'tracking' | 'consent' | 'brand' | 'windows' | 'frequencyCaps' | 'approvalNeededAbove'>;

const toSettings = ({ name, tracking, consent, brand, windows, frequencyCaps = [], approvalNeededAbove }: Shown) => ({
  name,
  consent: { ip: consent?.ip ?? ('hash' as const) },
  tracking: { transactional: trackingOf([tracking?.transactional]), marketing: trackingOf([tracking?.marketing]) },
  brand: toBrand(brand),
  windows: windows ?? null,
  frequencyCaps,
  approvalNeededAbove: approvalNeededAbove ?? null,
});

const byType = <T extends z.ZodType>(wish: T) => ({
  transactional: wish.meta({ description: 'For mail of the type `transactional`' }),
  marketing: wish.meta({ description: 'For mail of the type `marketing`, including campaigns' }),
});

const NAME = 'The project name, shown on public pages and in the console';

const WINDOWS = 'When marketing mail may go out, unless a campaign or an automation has windows of its own; null for any time';

const APPROVAL_NEEDED =
  'A campaign or a batch with more recipients than this needs an approval, by another key or session than the one that requests it; null for never';

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
  })
  .meta({ id: 'Settings' });

export const settingsExtensions = group('Extensions', [
  endpoint('GET /v1/settings', {
    operationId: 'getSettings',
    summary: "Get the project's settings",
    description: 'An extension of this implementation.',
    response: Settings,
    handle: ({ ctx }) => Promise.resolve(toSettings(ctx.project)),
  }),
  endpoint('PATCH /v1/settings', {
    operationId: 'updateSettings',
    summary: "Change the project's settings",
    description:
      'An extension of this implementation. A change applies to messages accepted after it, and to batches of campaigns that start after it.',
    request: { body: UpdateSettings },
    response: Settings,
    audit: ({ body }) => (Object.keys(body).length > 0 ? ['settings.update', null] : null),
    handle: async ({ ctx, body }) => {
      await checkTopics(ctx.projectId, body.frequencyCaps ?? []);
      await changeSettings(ctx.projectId, body);
      return toSettings(await getProject(ctx.projectId));
    },
  }),
]);
