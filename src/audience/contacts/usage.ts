import { automationsReading } from '../../marketing/automations/usage';
import { campaignsReading } from '../../marketing/campaigns/field-usage';
import type { Context } from '../../platform/core/context';
import { segmentsReading } from '../segments/usage';
import { templatesReading } from '../../sending/templates/field-usage';
import { fieldCount } from './fields';

/** Something that refers to a custom field. */
interface Reference {
  readonly _id: string;
  readonly name: string;
}

export interface FieldUsage {
  /** How many contacts have the field. */
  readonly contacts: number;
  readonly segments: readonly Reference[];
  readonly campaigns: readonly Reference[];
  readonly automations: readonly Reference[];
  readonly templates: readonly Reference[];
}

/** How many contacts have a field, and what refers to it, newest first. */
export async function fieldUsage(ctx: Context, field: string): Promise<FieldUsage> {
  const [contacts, segments, campaigns, automations, templates] = await Promise.all([
    fieldCount(ctx, field),
    segmentsReading(ctx, field),
    campaignsReading(ctx, field),
    automationsReading(ctx, field),
    templatesReading(ctx, field),
  ]);
  return { contacts, segments, campaigns, automations, templates };
}
