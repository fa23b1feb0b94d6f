import {
  AtSign,
  Columns2,
  CornerDownRight,
  Code,
  Heading,
  Image,
  MousePointerClick,
  PanelBottom,
  Repeat,
  SeparatorHorizontal,
  MoveVertical,
  Type,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { Block, BlockKind } from './model.ts';

interface Kind {
  readonly kind: BlockKind;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Creates a block of the kind. */
  readonly fresh: (id: string) => Block;
}

const START_TEXT = 'Write something your readers care about.';

/** The kinds of blocks, in the order in which they are offered. */
export const KINDS: readonly Kind[] = [
  {
    kind: 'heading',
    label: 'Heading',
    icon: Heading,
    fresh: (id) => ({ kind: 'heading', id, level: 2, spans: [{ text: 'A heading' }] }),
  },
  { kind: 'text', label: 'Text', icon: Type, fresh: (id) => ({ kind: 'text', id, lines: [{ spans: [{ text: START_TEXT }] }] }) },
  { kind: 'image', label: 'Image', icon: Image, fresh: (id) => ({ kind: 'image', id, src: '', alt: '', align: 'center' }) },
  {
    kind: 'button',
    label: 'Button',
    icon: MousePointerClick,
    fresh: (id) => ({ kind: 'button', id, label: [{ text: 'Learn more' }], link: '' }),
  },
  {
    kind: 'columns',
    label: 'Columns',
    icon: Columns2,
    fresh: (id) => ({
      kind: 'columns',
      id,
      columns: ['l', 'r'].map((side) => [
        {
          kind: 'text',
          id: `${id}${side}`,
          lines: [{ spans: [{ text: 'A column' }] }],
        },
      ]),
    }),
  },
  { kind: 'divider', label: 'Divider', icon: SeparatorHorizontal, fresh: (id) => ({ kind: 'divider', id }) },
  { kind: 'spacer', label: 'Spacer', icon: MoveVertical, fresh: (id) => ({ kind: 'spacer', id, height: 24 }) },
  {
    kind: 'social',
    label: 'Social links',
    icon: AtSign,
    fresh: (id) => ({ kind: 'social', id, links: ['Website', 'Instagram', 'LinkedIn'].map((name) => ({ name, link: '' })) }),
  },
  { kind: 'html', label: 'HTML', icon: Code, fresh: (id) => ({ kind: 'html', id, html: '<p>Your HTML</p>' }) },
  {
    kind: 'footer',
    label: 'Footer',
    icon: PanelBottom,
    fresh: (id) => ({
      kind: 'footer',
      id,
      unsubscribe: 'Unsubscribe',
      preferences: 'Email preferences',
      lines: [{ spans: [{ text: 'You receive this email because you signed up.' }] }],
    }),
  },
  {
    kind: 'repeat',
    label: 'Repeat',
    icon: Repeat,
    fresh: (id) => ({
      kind: 'repeat',
      id,
      field: 'items',
      name: 'item',
      blocks: [
        {
          kind: 'text',
          id: `${id}e`,
          lines: [{ spans: [{ field: 'item.name' }] }],
        },
      ],
    }),
  },
  {
    kind: 'condition',
    label: 'Condition',
    icon: CornerDownRight,
    fresh: (id) => ({
      kind: 'condition',
      id,
      match: 'all',
      tests: [{ field: 'firstName', operator: 'present' }],
      blocks: [
        {
          kind: 'text',
          id: `${id}s`,
          lines: [{ spans: [{ text: 'Only some readers see this.' }] }],
        },
      ],
    }),
  },
];

const BY_KIND = Object.fromEntries(KINDS.map((each) => [each.kind, each])) as Record<BlockKind, Kind>;

export const kindOf = (kind: BlockKind): Kind => BY_KIND[kind];
