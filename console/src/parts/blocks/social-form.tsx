import type { ReactNode } from 'react';
import { TextField } from '../fields.tsx';
import type { BlockFormProps } from './block-forms.tsx';
import { LinkField } from './link-field.tsx';
import type { SocialBlock } from './model.ts';

const MOST = 12;

/** Asks for the networks, each with the address of the sender's page. */
export function SocialForm({ block, change, names }: BlockFormProps<SocialBlock>): ReactNode {
  const put = (at: number, link: Partial<SocialBlock['links'][number]>): void =>
    change({ ...block, links: block.links.map((each, index) => (index === at ? { ...each, ...link } : each)) });
  return (
    <>
      {block.links.map(({ name, link }, at) => (
        <fieldset key={at} className="row-of-fields">
          <legend className="unseen">{`Link ${at + 1}`}</legend>
          <TextField label="Name" value={name} change={(text) => put(at, { name: text })} maxLength={200} />
          <LinkField label="Address" hint="The page of the sender" value={link} names={names} change={(text) => put(at, { link: text })} />
          <button
            type="button"
            className="quiet"
            aria-label={`Remove ${name}`}
            onClick={() => change({ ...block, links: block.links.filter((_, index) => index !== at) })}
          >
            Remove
          </button>
        </fieldset>
      ))}
      {block.links.length < MOST && (
        <button type="button" onClick={() => change({ ...block, links: [...block.links, { name: 'Website', link: '' }] })}>
          Add link
        </button>
      )}
    </>
  );
}
