import type { Schemas } from '../api.ts';
import type { Block, Design } from './model.ts';

type Brand = Schemas['Brand'];

/** Returns the look of a project's mail, as far as its brand says. */
const styleOfBrand = ({ color }: Pick<Brand, 'color'>) => (color === null || color === undefined ? {} : { style: { color } });

/** Returns the design that a new mail begins with. */
export function starterDesign(brand: Partial<Brand>, type: 'transactional' | 'marketing'): Design {
  const { logoUrl, name, address, color = null } = brand;
  const logo: readonly Block[] = logoUrl ? [{ kind: 'image', id: 'logo', src: logoUrl, alt: name ?? 'Logo', width: 120, padding: 24 }] : [];
  const sender = [name, ...(address?.split('\n') ?? [])].filter((line) => line !== undefined && line !== null && line.trim() !== '');
  const isMarketing = type === 'marketing';
  const footer: Block | null =
    sender.length === 0 && !isMarketing
      ? null
      : {
          kind: 'footer',
          id: 'footer',
          lines: sender.map((text) => ({ spans: [{ text: String(text) }] })),
          ...(isMarketing && { unsubscribe: 'Unsubscribe', preferences: 'Email preferences' }),
        };
  return {
    version: 1,
    ...styleOfBrand({ color }),
    blocks: [
      ...logo,
      { kind: 'heading', id: 'title', level: 1, padding: 16, spans: [{ text: 'A headline that says it all' }] },
      {
        kind: 'text',
        id: 'hello',
        lines: [
          { spans: [{ text: 'Hello ' }, { field: 'firstName', fallback: 'there' }, { text: ',' }] },
          { spans: [{ text: 'Write here what is new, in two or three sentences.' }] },
        ],
      },
      { kind: 'button', id: 'action', padding: 16, label: [{ text: 'Learn more' }], link: '' },
      ...(footer ? [{ kind: 'divider', id: 'line' } as const, footer] : []),
    ],
  };
}
