export { changeTopics, settleTopics, topicsOfContact } from './choices';
export type { Person, TopicState, TopicsChange, TopicsContext, WantedTopic } from './choices';
export { onTopicsLeft } from './hooks';
export { topicUsers } from './in-use';
export { createTopic, deleteTopic, getTopic, listTopics, patchTopic, readTopic } from './service';
export type { Topic } from './service';
