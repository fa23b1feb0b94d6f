import type { Preferences } from './read';

const END = 'pause';

/** Returns the state of each choice and since when it applies, by the topic's id and `pause`. */
function standing({ topics, pausedUntil }: Pick<Preferences, 'topics' | 'pausedUntil'>): ReadonlyMap<string, string> {
  const since = (at: Date | null): string => (at === null ? '' : at.getTime().toString(36));
  return new Map([
    ...topics.map(({ topic, subscribed, since: at }) => [topic._id, `${subscribed ? 1 : 0}${since(at)}`] as const),
    [END, since(pausedUntil)] as const,
  ]);
}

/** Returns the version of a page: the state of each choice separately, so that tabs that change different ones do not disturb each other. */
export const versionOf = (preferences: Pick<Preferences, 'topics' | 'pausedUntil'>): string =>
  [...standing(preferences)].map(([name, value]) => `${name}:${value}`).join(' ');

const ENTRY = /^([A-Za-z0-9_-]{1,64}):([a-z0-9]{0,16})$/;

/** The state from which the page of a form was drawn. */
export class Drawn {
  private constructor(private readonly stood: ReadonlyMap<string, string>) {}

  /** Reads a version; null for a text that is none. */
  static read(version: string): Drawn | null {
    const entries = version.split(' ').map((entry) => ENTRY.exec(entry));
    if (entries.some((entry) => entry === null)) return null;
    return new Drawn(new Map(entries.map((entry) => [entry?.[1] ?? '', entry?.[2] ?? ''])));
  }

  get topicIds(): readonly string[] {
    return [...this.stood.keys()].filter((name) => name !== END);
  }

  /** Returns whether the box of a topic was ticked; false for one that was not on the page. */
  wasTicked(topicId: string): boolean {
    return this.stood.get(topicId)?.startsWith('1') === true;
  }

  /** Returns whether a topic, or the pause, is as it was when the page was drawn. */
  stillStands(name: string, now: Pick<Preferences, 'topics' | 'pausedUntil'>): boolean {
    return standing(now).get(name) === this.stood.get(name);
  }

  pauseStillStands(now: Pick<Preferences, 'topics' | 'pausedUntil'>): boolean {
    return this.stillStands(END, now);
  }
}
