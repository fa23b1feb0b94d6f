export { changeTopics, importTopics, settleMarketing, settleTopics, topicsOfContact } from './choices';
export type { TopicState, TopicsChange, TopicsContext, WantedTopic } from './choices';
export { onTopicsLeft } from './hooks';
export type { Leaving, LeavingPerson } from './hooks';
export { topicUsers } from './in-use';
export {
  createTopic,
  deleteTopic,
  findMailTopics,
  getTopic,
  listTopics,
  patchTopic,
  readTopic,
  requireTopic,
  topicsAsked,
} from './service';
export type { Topic } from './service';
