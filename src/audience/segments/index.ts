export { foldCounts } from './counts';
export { createSegment, deleteSegment, patchSegment, requireSegmentRoom } from './edit';
export { followSegments } from './follow';
export { membersAmong, membershipsOf, removeFromSegments, someMembers } from './members';
export type { Segment } from './model';
export { completeSegments, countFilled, createStaticSegment, fillSegment, memberPage, segmentExists } from './audiences';
export { segmentOfTopic, compareSoon, segmentsAsking, segmentsReading } from './usage';
export { conditionFaults, resolveConditions, missingReferences } from './references';
export { sweepRemovals } from './removals';
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
export { addMembers, findStaticSegment, removeMembers, requireSegment } from './static';
export { sweepSegments } from './sweep';
export { unmatchedTypes } from './unmatched-types';
export { knownCampaigns, segmentUsers } from './in-use';
