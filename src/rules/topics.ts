/** The way in which a person joined or left a topic. */
export type TopicSource = 'api' | 'import' | 'one_click' | 'link' | 'mailto' | 'preferences' | 'form' | 'opt_in';

/** A person's own choice about a topic. */
export interface TopicChoice {
  readonly topicId: string;
  readonly since: Date;
  readonly source: TopicSource;
  /** The message that the person answered by it. */
  readonly emailId?: string;
}

/** The topics that a person chose, and those that the person left; one that is in neither goes by the topic's default. */
export interface TopicChoices {
  readonly topicsIn?: readonly TopicChoice[];
  readonly topicsOut?: readonly TopicChoice[];
}

/** The facts about its topic that a message needs. */
export interface MailTopic {
  readonly topicId: string;
  readonly defaultSubscription: 'in' | 'out';
}

/** Returns what a person said about a topic; null for one who said nothing. */
export function choiceOf(
  choices: TopicChoices | null | undefined,
  topicId: string,
): (TopicChoice & { readonly subscribed: boolean }) | null {
  const out = choices?.topicsOut?.find((choice) => choice.topicId === topicId);
  if (out) return { ...out, subscribed: false };
  const into = choices?.topicsIn?.find((choice) => choice.topicId === topicId);
  return into ? { ...into, subscribed: true } : null;
}

/** Returns whether a person gets mail of a topic: by their own word, else by the topic's default. */
export const isInTopic = ({ topicId, defaultSubscription }: MailTopic, choices: TopicChoices | null | undefined): boolean =>
  choiceOf(choices, topicId)?.subscribed ?? defaultSubscription === 'in';

/**
 * Returns the choices after a further one; the same object where it changes nothing: what was said first keeps its date and its source. An import never
 * brings back a person who left.
 */
export function withChoice<T extends TopicChoices>(choices: T, subscribed: boolean, choice: TopicChoice): T {
  const before = choiceOf(choices, choice.topicId);
  if (before?.subscribed === subscribed) return choices;
  if (before && subscribed && choice.source === 'import') return choices;
  const others = (list: readonly TopicChoice[] = []): readonly TopicChoice[] => list.filter(({ topicId }) => topicId !== choice.topicId);
  return {
    ...choices,
    topicsIn: [...others(choices.topicsIn), ...(subscribed ? [choice] : [])],
    topicsOut: [...others(choices.topicsOut), ...(subscribed ? [] : [choice])],
  };
}

/** Returns the query for contacts who are in a topic, or are not. A plain comparison, which the index serves, asks for those who do not go by the default. */
export const topicQuery = ({ topicId, defaultSubscription }: MailTopic, subscribed: boolean): Readonly<Record<string, unknown>> =>
  defaultSubscription === 'in'
    ? { 'topicsOut.topicId': subscribed ? { $ne: topicId } : topicId }
    : { 'topicsIn.topicId': subscribed ? topicId : { $ne: topicId } };

/** The names of a topic: its own, and those by language (BCP 47). */
interface Named {
  readonly name: string;
  readonly names: Readonly<Record<string, string>>;
}

/** Returns a topic's name in the nearest language that it has one in: `de-AT`, then `de`, then its own name. */
export function topicName({ name, names }: Named, locale: string | null): string {
  const byTag = new Map(Object.entries(names).map(([tag, text]) => [tag.toLowerCase(), text]));
  for (const subtags = locale?.toLowerCase().split(/[-_]/) ?? []; subtags.length > 0; subtags.pop()) {
    const found = byTag.get(subtags.join('-'));
    if (found !== undefined) return found;
  }
  return name;
}
