import * as Radix from '@radix-ui/react-tabs';
import type { ReactNode } from 'react';
import { useBrand } from '../blocks/brand.ts';
import { ContentField } from '../blocks/content-field.tsx';
import { contentOf, withContent } from '../blocks/content.ts';
import { Confirm } from '../confirm.tsx';
import { LineField } from '../blocks/insert-field.tsx';
import { TextField } from '../fields.tsx';
import { AddLanguage } from './add-language.tsx';
import { languageName } from './names.ts';
import { copyFor } from './variants.ts';
import type { TextMember, Variant, Variants } from './variants.ts';

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

interface VariantProps {
  readonly language: string;
  /** A copy of the default for this language. */
  readonly texts: Variant;
  readonly variant: Variant;
  readonly change: (variant: Variant) => void;
}

/** Shows the content in a language; a new design begins with that of the default. */
function VariantContent({ language, texts, variant, change, ...given }: VariantProps & Pick<Props, 'type' | 'disabled'>): ReactNode {
  const brand = useBrand();
  const copy = contentOf(texts.body, texts.bodyBlocks);
  return (
    brand && (
      <ContentField
        {...given}
        content={contentOf(variant.body, variant.bodyBlocks)}
        change={(content) => change(withContent(variant, content))}
        brand={brand}
        language={language}
        first={copy.design && copy}
      />
    )
  );
}

interface FieldsProps extends VariantProps, Pick<Props, 'type' | 'members' | 'disabled'> {
  readonly remove: () => void;
}

function VariantFields({ members, remove, type, disabled = false, ...given }: FieldsProps): ReactNode {
  const { language, texts, variant, change } = given;
  const name = languageName(language);
  const put =
    (member: TextMember) =>
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
      <VariantContent {...given} type={type} disabled={disabled} />
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
  readonly type: 'transactional' | 'marketing';
  readonly disabled?: boolean;
  /** The members that can differ by language, next to subject and HTML. */
  readonly members: readonly TextMember[];
  /** The language that is shown; null for the default. */
  readonly language: string | null;
  readonly show: (language: string | null) => void;
  /** The fields of the default. */
  readonly children: ReactNode;
}

/** Shows a content by language: a tab for the default, and one for each variant. */
export function LanguageTabs({ texts, variants, change, language, show, children, ...given }: Props): ReactNode {
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
            change({ ...variants, [tag]: copyFor(tag, texts) });
            show(tag);
          }}
        />
      </Radix.Content>
      {Object.entries(variants).map(([tag, variant]) => (
        <Radix.Content key={tag} value={tag}>
          <VariantFields
            {...given}
            language={tag}
            texts={copyFor(tag, texts)}
            variant={variant}
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
