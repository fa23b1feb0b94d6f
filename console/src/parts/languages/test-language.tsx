import type { ReactNode } from 'react';
import { ChoiceField } from '../fields.tsx';
import { languageName } from './names.ts';

interface Props {
  readonly variants: object | undefined;
  readonly value: string;
  readonly change: (language: string) => void;
}

/** Asks in which language a test goes out; nothing for a content in one language. */
export function TestLanguage({ variants, value, change }: Props): ReactNode {
  const languages = Object.keys(variants ?? {});
  if (languages.length === 0) return null;
  return (
    <ChoiceField
      label="Language"
      value={value}
      change={change}
      options={[
        ['', 'As the contact with this address'],
        ['all', `All languages: ${languages.length + 1} messages`],
        ['default', 'Default'],
        ...languages.map((tag) => [tag, languageName(tag)] as const),
      ]}
    />
  );
}
