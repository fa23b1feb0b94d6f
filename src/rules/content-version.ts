const MARK = '~';

/** Returns the id of a content that corrects the one before it while its campaign is sending: each version has its own, also where the text is the same. */
export const idOfVersion = (hash: string, version: number): string => (version === 1 ? hash : `${hash}${MARK}${version}`);

/** Returns which version of its campaign's content an id names, from 1 on. */
export const versionOfContent = (contentId: string | null | undefined): number => Number(contentId?.split(MARK)[1] ?? 1);
