export { changeTopics, importTopics, settleMarketing, settleTopics, topicsOfContact, onTopicsLeft } from './choices';
export type { TopicState, TopicsChange, TopicsContext, WantedTopic, Leaving, LeavingPerson } from './choices';
export {
  topicUsers,
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
