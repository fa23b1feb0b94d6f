import * as Radix from '@radix-ui/react-tabs';
import type { ReactNode } from 'react';
import type { Schemas } from '../api.ts';
import { CodeField } from '../code/code-field.tsx';
import { Confirm } from '../confirm.tsx';
import { LineField } from '../blocks/insert-field.tsx';
import { TextField } from '../fields.tsx';
import { AddLanguage } from './add-language.tsx';
import { languageName } from './names.ts';

/** A content in one language. */
export type Variant = Schemas['CampaignVariant'];
export type Variants = Readonly<Record<string, Variant>>;

const DEFAULT = 'default';

/** The members that a content has next to its subject and its HTML. */
const MEMBERS = [
  ['abSubjectB', 'Subject B'],
  ['previewText', 'Preview text'],
  ['fromName', 'From name'],
] as const;

/** Names what the default has and a language lacks. */
const missingIn = (texts: Variant, variant: Variant): readonly string[] =>
  MEMBERS.filter(([member]) => member !== 'fromName' && texts[member]?.trim() && !variant[member]?.trim()).map(([, label]) => label);

interface FieldsProps {
  readonly name: string;
  readonly texts: Variant;
  readonly variant: Variant;
  readonly members: readonly (keyof Variant)[];
  readonly change: (variant: Variant) => void;
  readonly remove: () => void;
}

function VariantFields({ name, texts, variant, members, change, remove }: FieldsProps): ReactNode {
  const put =
    (member: keyof Variant) =>
    (value: string): void =>
      change({ ...variant, [member]: value });
  const missing = missingIn(texts, variant);
  const isTranslated = (['subject', 'body', ...members] as const).some((member) => {
    const text = variant[member]?.trim() ?? '';
    return text !== '' && text !== texts[member]?.trim();
  });
  return (
    <>
      {missing.length > 0 && <p className="notice">Missing in this language: {missing.join(', ')}.</p>}
      <LineField label="Subject" required value={variant.subject} change={put('subject')} />
      {MEMBERS.filter(([member]) => members.includes(member)).map(([member, label]) => {
        const field = { label, value: variant[member] ?? '', change: put(member) };
        return member === 'fromName' ? (
          <TextField key={member} {...field} hint="Empty: the name of the default" />
        ) : (
          <LineField key={member} {...field} />
        );
      })}
      <CodeField label="HTML" value={variant.body} change={put('body')} />
      <p className="actions">
        <Confirm
          label="Copy from default"
          title={`Replace the ${name} text?`}
          asks={isTranslated}
          act={() => Promise.resolve(change({ ...texts }))}
        >
          The default replaces the subject and all other text in {name}.
        </Confirm>
        <Confirm label="Remove language" title={`Remove ${name}?`} asks={isTranslated} act={() => Promise.resolve(remove())}>
          This removes the subject and all other text in {name}. Contacts with this language get the default.
        </Confirm>
      </p>
    </>
  );
}

interface Props {
  /** The texts of the default. */
  readonly texts: Variant;
  readonly variants: Variants;
  readonly change: (variants: Variants) => void;
  /** The members that can differ by language, next to subject and HTML. */
  readonly members: readonly (keyof Variant)[];
  /** The language that is shown; null for the default. */
  readonly language: string | null;
  readonly show: (language: string | null) => void;
  /** The fields of the default. */
  readonly children: ReactNode;
}

/** Shows a content by language: a tab for the default, and one for each variant. */
export function LanguageTabs({ texts, variants, change, members, language, show, children }: Props): ReactNode {
  const languages = Object.keys(variants);
  const shown = language !== null && languages.includes(language) ? language : DEFAULT;
  const without = (removed: string): Variants => Object.fromEntries(Object.entries(variants).filter(([tag]) => tag !== removed));
  return (
    <Radix.Root className="tabs" value={shown} onValueChange={(value) => show(value === DEFAULT ? null : value)}>
      <Radix.List aria-label="Languages" className="tab-list">
        <Radix.Trigger value={DEFAULT}>Default</Radix.Trigger>
        {languages.map((tag) => (
          <Radix.Trigger key={tag} value={tag}>
            {languageName(tag)}
          </Radix.Trigger>
        ))}
      </Radix.List>
      <Radix.Content value={DEFAULT}>
        {children}
        <AddLanguage
          known={languages}
          add={(tag) => {
            change({ ...variants, [tag]: { ...texts } });
            show(tag);
          }}
        />
      </Radix.Content>
      {Object.entries(variants).map(([tag, variant]) => (
        <Radix.Content key={tag} value={tag}>
          <VariantFields
            name={languageName(tag)}
            texts={texts}
            variant={variant}
            members={members}
            change={(next) => change({ ...variants, [tag]: next })}
            remove={() => {
              change(without(tag));
              show(null);
            }}
          />
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
