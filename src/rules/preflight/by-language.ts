import type { Finding } from './finding';

/** The findings about one content of a message: its language, or null for the default. */
export type InLanguage = readonly [language: string | null, findings: readonly Finding[]];

const nameOf = (language: string | null): string => language ?? 'default';

/** Joins what was found in several languages; what all have in common is said once. */
function joined(findings: readonly Finding[], languages: readonly (string | null)[]): Finding {
  const [first, ...others] = findings as readonly [Finding, ...Finding[]];
  if (others.every(({ detail }) => detail === first.detail)) return first;
  const details = findings.flatMap(({ detail }, at) => (detail === undefined ? [] : [`${nameOf(languages[at] ?? null)}: ${detail}`]));
  return { ...first, detail: details.join('; ') };
}

type Found = readonly (readonly [language: string | null, finding: Finding])[];

function groupedBy(found: Found, keyOf: (finding: Finding) => string): readonly Found[] {
  const groups = new Map<string, Found>();
  for (const each of found) groups.set(keyOf(each[1]), [...(groups.get(keyOf(each[1])) ?? []), each]);
  return [...groups.values()];
}

const wordsOf = ({ level, what, how, detail }: Finding): string => JSON.stringify(level === 'ok' ? [what] : [level, what, how, detail]);

/** Merges the findings of one check. Faults are merged where all their words are the same; what is fine is left out where another language has a fault. */
function merged(found: Found, contents: number): readonly Finding[] {
  const open = found.filter(([, { level }]) => level !== 'ok');
  return groupedBy(open.length > 0 ? open : found, wordsOf).map((group) => {
    const languages = group.map(([language]) => language);
    const finding = joined(
      group.map(([, each]) => each),
      languages,
    );
    return group.length === contents ? finding : { ...finding, languages };
  });
}

/** Merges the findings about all contents of a message. One that does not hold for all of them names its languages. */
export function acrossLanguages(contents: readonly InLanguage[]): readonly Finding[] {
  const found = contents.flatMap(([language, findings]) => findings.map((finding) => [language, finding] as const));
  return groupedBy(found, ({ check }) => check).flatMap((group) => merged(group, contents.length));
}
