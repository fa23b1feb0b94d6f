export { foldCounts } from './counts';
export { createSegment, deleteSegment, patchSegment, requireSegmentRoom, sweepRemovals } from './edit';
export { followSegments } from './memberships';
export {
  membersAmong,
  membershipsOf,
  removeFromSegments,
  someMembers,
  addMembers,
  findStaticSegment,
  removeMembers,
  requireSegment,
} from './static';
export {
  completeSegments,
  countFilled,
  createStaticSegment,
  fillSegment,
  memberPage,
  segmentExists,
  segmentOfTopic,
  compareSoon,
  segmentsAsking,
  segmentsReading,
  unmatchedTypes,
  knownCampaigns,
  segmentUsers,
} from './usage';
export type { Segment } from './model';
export { conditionFaults, resolveConditions, missingReferences } from './references';
export {
  addToSegment,
  getSegment,
  listMembers,
  listSegments,
  previewSegment,
  refreshSegment,
  removeFromSegment,
  setSegmentArchived,
} from './service';
export type { Member } from './service';
export { sweepSegments } from './sweep';
