/** What other services call members, without its joints and in small letters, and the names that these may have here. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  body: ['html'],
  content: ['html', 'body'],
  html: ['body'],
  htmlbody: ['html', 'body'],
  text: ['body'],
  textbody: ['text'],
  react: ['html'],
  scheduledat: ['sendAt'],
  deliverytime: ['sendAt'],
  recipients: ['to'],
  personalizations: ['to'],
  sender: ['from', 'fromEmail'],
  from: ['fromEmail'],
  template: ['templateId'],
  templatemodel: ['variables'],
  dynamictemplatedata: ['variables'],
  metadata: ['tags'],
  categories: ['tags'],
  trackopens: ['tracking'],
  tracklinks: ['tracking'],
  messagestream: ['type'],
  cid: ['contentId'],
};

const plain = (name: string): string => name.replace(/[-_\s]/g, '').toLowerCase();

/** The known name of what another service calls `given`; null when there is none. */
export function nameHere(given: string, known: readonly string[]): string | null {
  const letters = plain(given);
  const names = Object.hasOwn(ELSEWHERE, letters) ? ELSEWHERE[letters] : undefined;
  return names?.find((name) => known.includes(name)) ?? null;
}
