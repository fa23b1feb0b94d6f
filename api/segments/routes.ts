import type { ErrorDetail } from '../../src/platform/core';
import { mapped } from '../../src/platform/mongo';
import * as segments from '../../src/audience/segments';
import { toContact } from '../contacts/view';
import { updated } from '../http/audit';
import { endpoint } from '../http/endpoint';
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
  UpdateSegment,
} from './schemas';
import { toMember, toSegment } from './view';

const tag = 'Segments';

/** Members are counted before the answer: a million of them take a while (docs/segments.md). */
const COMPUTED_MS = 120_000;

const furtherFaults = (body: unknown): readonly ErrorDetail[] => conditionFaultsIn(body, 'conditions');

export const segmentRoutes = [
  endpoint({
    method: 'get',
    path: '/v1/segments',
    operationId: 'listSegments',
    summary: 'List segments',
    tag,
    response: Segment,
    list: 'whole',
    handle: ({ ctx, page }) => Promise.resolve(mapped(segments.listSegments(ctx, page), toSegment)),
  }),
  endpoint({
    method: 'post',
    path: '/v1/segments',
    operationId: 'createSegment',
    summary: 'Create a segment',
    description: 'A dynamic segment requires `conditions`; a static segment accepts none.',
    tag,
    status: 201,
    body: CreateSegment,
    furtherFaults,
    warn: (ctx, { conditions }) => segments.unmatchedTypes(ctx, conditions),
    response: Segment,
    answerMs: COMPUTED_MS,
    errors: ['limit_exceeded'],
    audit: ({ data }) => ['segment.create', data.segmentId],
    handle: async ({ ctx, body }) => toSegment(await segments.createSegment(ctx, body)),
  }),
  endpoint({
    method: 'post',
    path: '/v1/segments/preview',
    operationId: 'previewSegment',
    summary: 'Count and sample the contacts that conditions match',
    tag,
    body: PreviewSegment,
    furtherFaults,
    warn: (ctx, { conditions }) => segments.unmatchedTypes(ctx, conditions),
    response: Preview,
    handle: async ({ ctx, body }) => {
      const { count, sample } = await segments.previewSegment(ctx, body.conditions);
      return { count, sample: sample.map(toContact) };
    },
  }),
  endpoint({
    method: 'get',
    path: '/v1/segments/{id}',
    operationId: 'getSegment',
    summary: 'Get a segment',
    tag,
    params: IdParams,
    response: Segment,
    handle: async ({ ctx, params }) => toSegment(await segments.getSegment(ctx, params.id)),
  }),
  endpoint({
    method: 'patch',
    path: '/v1/segments/{id}',
    operationId: 'updateSegment',
    summary: 'Update a segment; changed conditions are applied at once',
    tag,
    params: IdParams,
    body: UpdateSegment,
    furtherFaults,
    warn: (ctx, { conditions }) => segments.unmatchedTypes(ctx, conditions),
    response: Segment,
    answerMs: COMPUTED_MS,
    errors: ['limit_exceeded'],
    audit: ({ params, body }) => updated('segment', params.id, body),
    handle: async ({ ctx, params, body }) => toSegment(await segments.patchSegment(ctx, params.id, body)),
  }),
  endpoint({
    method: 'delete',
    path: '/v1/segments/{id}',
    operationId: 'deleteSegment',
    summary: 'Delete a segment that nothing refers to',
    tag,
    params: IdParams,
    response: Deleted,
    errors: ['in_use'],
    audit: ({ params }) => ['segment.delete', params.id],
    handle: async ({ ctx, params }) => {
      await segments.deleteSegment(ctx, params.id);
      return { success: true as const };
    },
  }),
  endpoint({
    method: 'post',
    path: '/v1/segments/{id}/refresh',
    operationId: 'refreshSegment',
    summary: 'Recompute the members',
    tag,
    params: IdParams,
    response: Segment,
    answerMs: COMPUTED_MS,
    handle: async ({ ctx, params }) => toSegment(await segments.refreshSegment(ctx, params.id)),
  }),
  endpoint({
    method: 'get',
    path: '/v1/segments/{id}/members',
    operationId: 'listSegmentMembers',
    summary: 'List the members of a segment',
    tag,
    params: IdParams,
    response: SegmentMember,
    list: 'cursor',
    handle: async ({ ctx, params, page }) => {
      const { rows, next } = await segments.listMembers(ctx, params.id, page);
      return { rows: rows.map(toMember), next };
    },
  }),
  endpoint({
    method: 'post',
    path: '/v1/segments/{id}/members',
    operationId: 'addSegmentMembers',
    summary: 'Add up to 1,000 contacts to a static segment',
    tag,
    params: IdParams,
    body: AddMembers,
    response: AddedMembers,
    handle: ({ ctx, params, body }) => segments.addToSegment(ctx, params.id, body.emails),
  }),
  endpoint({
    method: 'delete',
    path: '/v1/segments/{id}/members/{contactId}',
    operationId: 'removeSegmentMember',
    summary: 'Remove a contact from a static segment',
    tag,
    params: MemberParams,
    response: RemovedMember,
    handle: async ({ ctx, params }) => ({ removed: await segments.removeFromSegment(ctx, params.id, params.contactId) }),
  }),
];
