export { foldCounts } from './counts';
export { createSegment, deleteSegment, patchSegment, requireSegmentRoom, sweepRemovals } from './edit';
export { followSegments } from './memberships';
export { membersAmong, membershipsOf, removeFromSegments, someMembers } from './members';
export { completeSegments, countFilled, createStaticSegment, fillSegment, memberPage, segmentExists } from './audiences';
export type { Segment } from './model';
export { segmentOfTopic, compareSoon, segmentsAsking, segmentsReading, unmatchedTypes, knownCampaigns, segmentUsers } from './usage';
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
export { addMembers, findStaticSegment, removeMembers, requireSegment } from './static';
export { sweepSegments } from './sweep';
