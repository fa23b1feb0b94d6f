import type { z } from 'zod';
import type { Contact, FieldUsage, TimelineEntry } from '../../src/audience/contacts';
import { fieldOf } from '../../src/audience/lists';
import type { ContactImport, ImportInList } from '../../src/audience/lists';
import type { Erasure } from '../../src/upkeep/erasure';
import { contactShape } from '../../src/audience/contacts';
import type {
  Erasure as WireErasure,
  ImportJob,
  ImportSummary,
  FieldUsage as WireFieldUsage,
  TimelineEntry as WireTimelineEntry,
  Contact as WireContact,
} from './schemas';

export const toContact = (contact: Contact): z.input<typeof WireContact> => contactShape(contact);

export const toErasure = ({ _id, contactIds, before, ...erasure }: Erasure, contactId: string): z.input<typeof WireErasure> => ({
  erasureId: _id,
  contactId,
  deletedAt: before,
  ...erasure,
  contacts: contactIds.length,
});

export const toTimelineEntry = ({ id, ...entry }: TimelineEntry): z.input<typeof WireTimelineEntry> => ({ entryId: id, ...entry });

export const toFieldUsage = (field: string, usage: FieldUsage): z.input<typeof WireFieldUsage> => ({
  field,
  contacts: usage.contacts,
  segments: usage.segments.map(({ _id, name }) => ({ segmentId: _id, name })),
  campaigns: usage.campaigns.map(({ _id, name }) => ({ campaignId: _id, name })),
  workflows: usage.automations.map(({ _id, name }) => ({ workflowId: _id, name })),
  templates: usage.templates.map(({ _id, name }) => ({ templateId: _id, name })),
});

export const toImportJob = (job: ContactImport): z.input<typeof ImportJob> => ({
  ...toImportSummary(job),
  columns: job.headers.map((header, index) => ({ header, field: fieldOf(job.columns[index]) })),
  errors: job.errors,
});

export const toImportSummary = (job: ImportInList): z.input<typeof ImportSummary> => {
  const { _id: importId, status, totalRows, created, updated, skipped, failed, error, createdAt, startedAt, finishedAt } = job;
  return {
    importId,
    status,
    totalRows,
    processed: created + updated + skipped + failed,
    created,
    updated,
    skipped,
    failed,
    error,
    createdAt,
    startedAt,
    finishedAt,
  };
};
