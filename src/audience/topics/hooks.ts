import { hook } from '../../platform/hooks';

/** A contact gets no more mail of topics, or no marketing mail at all (null); resolves when what is under way has noticed. */
export const onTopicsLeft =
  hook<(projectId: string, contactId: string, topicIds: readonly string[] | null) => Promise<void>>('a contact leaves topics');
