import type { ErrorDetail } from '../../src/platform/core';
import { mapped } from '../../src/platform/mongo';
import * as segments from '../../src/audience/segments';
import { toContact } from '../contacts/view';
import { updated } from '../http/audit';
import { deleted, paged } from '../http/answers';
import { archiveOperations } from '../http/archive';
import { endpoint, extensions, group, listEndpoint } from '../http/endpoint';
import { Deleted, IdParams } from '../http/pieces';
import { conditionFaultsIn } from './condition-faults';
import {
  AddMembers,
  AddedMembers,
  CreateSegment,
  MemberParams,
  Preview,
  PreviewSegment,
  RemovedMember,
  Segment,
  SegmentMember,
  SegmentQuery,
  UpdateSegment,
} from './schemas';
import type { z } from 'zod';
import type { Member, Segment as StoredSegment } from '../../src/audience/segments';

/** Members are counted before the answer: a million of them take a while (docs/segments.md). */
const COMPUTED_MS = 120_000;

const furtherFaults = (body: unknown): readonly ErrorDetail[] => conditionFaultsIn(body, 'conditions');

export const segmentRoutes = group('Segments', [
  listEndpoint('GET /v1/segments', {
    operationId: 'listSegments',
    summary: 'List segments',
    request: { query: SegmentQuery },
    response: Segment,
    list: 'whole',
    handle: ({ ctx, query, page }) => mapped(segments.listSegments(ctx, query, page), toSegment),
  }),
  endpoint('POST /v1/segments', {
    operationId: 'createSegment',
    summary: 'Create a segment',
    description: 'A dynamic segment requires `conditions`; a static segment accepts none.',
    request: { body: CreateSegment, furtherFaults, warn: (ctx, { conditions }) => segments.unmatchedTypes(ctx, conditions) },
    status: 201,
    response: Segment,
    limits: { answerMs: COMPUTED_MS },
    errors: ['limit_exceeded'],
    audit: ({ data }) => ['segment.create', data.segmentId],
    handle: async ({ ctx, body }) => toSegment(await segments.createSegment(ctx, body)),
  }),
  endpoint('POST /v1/segments/preview', {
    operationId: 'previewSegment',
    summary: 'Count and sample the contacts that conditions match',
    request: { body: PreviewSegment, furtherFaults, warn: (ctx, { conditions }) => segments.unmatchedTypes(ctx, conditions) },
    response: Preview,
    handle: async ({ ctx, body }) => {
      const { count, sample } = await segments.previewSegment(ctx, body.conditions);
      return { count, sample: sample.map(toContact) };
    },
  }),
  endpoint('GET /v1/segments/{id}', {
    operationId: 'getSegment',
    summary: 'Get a segment',
    request: { params: IdParams },
    response: Segment,
    handle: async ({ ctx, params }) => toSegment(await segments.getSegment(ctx, params.id)),
  }),
  endpoint('PATCH /v1/segments/{id}', {
    operationId: 'updateSegment',
    summary: 'Update a segment; changed conditions are applied at once',
    request: {
      params: IdParams,
      body: UpdateSegment,
      furtherFaults,
      warn: (ctx, { conditions }) => segments.unmatchedTypes(ctx, conditions),
    },
    response: Segment,
    limits: { answerMs: COMPUTED_MS },
    errors: ['limit_exceeded'],
    audit: ({ params, body }) => updated('segment', params.id, body),
    handle: async ({ ctx, params, body }) => toSegment(await segments.patchSegment(ctx, params.id, body)),
  }),
  endpoint('DELETE /v1/segments/{id}', {
    operationId: 'deleteSegment',
    summary: 'Delete a segment that nothing refers to',
    request: { params: IdParams },
    response: Deleted,
    errors: ['in_use'],
    audit: ({ params }) => ['segment.delete', params.id],
    handle: ({ ctx, params }) => deleted(segments.deleteSegment(ctx, params.id)),
  }),
  endpoint('POST /v1/segments/{id}/refresh', {
    operationId: 'refreshSegment',
    summary: 'Recompute the members',
    request: { params: IdParams },
    response: Segment,
    limits: { answerMs: COMPUTED_MS },
    handle: async ({ ctx, params }) => toSegment(await segments.refreshSegment(ctx, params.id)),
  }),
  listEndpoint('GET /v1/segments/{id}/members', {
    operationId: 'listSegmentMembers',
    summary: 'List the members of a segment',
    request: { params: IdParams },
    response: SegmentMember,
    list: 'cursor',
    handle: ({ ctx, params, page }) => paged(segments.listMembers(ctx, params.id, page), toMember),
  }),
  endpoint('POST /v1/segments/{id}/members', {
    operationId: 'addSegmentMembers',
    summary: 'Add up to 1,000 contacts to a static segment',
    request: { params: IdParams, body: AddMembers },
    response: AddedMembers,
    handle: ({ ctx, params, body }) => segments.addToSegment(ctx, params.id, body.emails),
  }),
  endpoint('DELETE /v1/segments/{id}/members/{contactId}', {
    operationId: 'removeSegmentMember',
    summary: 'Remove a contact from a static segment',
    request: { params: MemberParams },
    response: RemovedMember,
    handle: async ({ ctx, params }) => ({ removed: await segments.removeFromSegment(ctx, params.id, params.contactId) }),
  }),
]);

export const segmentExtensions = extensions(
  'Extensions',
  archiveOperations({
    path: '/v1/segments/{id}',
    name: 'segment',
    response: Segment,
    set: async (ctx, id, isArchived) => toSegment(await segments.setSegmentArchived(ctx, id, isArchived)),
  }),
);

const toSegment = ({ _id, ...segment }: StoredSegment): z.input<typeof Segment> => ({ segmentId: _id, ...segment });

const toMember = ({ contact, enteredAt }: Member): z.input<typeof SegmentMember> => ({ ...toContact(contact), enteredAt });
