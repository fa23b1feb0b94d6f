import type { CSSProperties, ReactNode } from 'react';
import { MessageFrame } from '../message-frame.tsx';
import { useSettled } from '../settled.ts';
import { useEditing } from './editing.ts';
import { kindOf } from './kinds.ts';
import { LINE_COLOR, QUIET, escaped, familyOf, inkFor } from './model.ts';
import type { Align, Block, BlockKind, FieldTest } from './model.ts';
import { RichLines, RichSpans } from './rich-text.tsx';

interface FaceProps<B extends Block> {
  readonly block: B;
  /** Draws blocks within the block: its list with this number. */
  readonly lists: (blocks: readonly Block[], list: number) => ReactNode;
}

type Faces = { readonly [Kind in BlockKind]: (props: FaceProps<Extract<Block, { readonly kind: Kind }>>) => ReactNode };

const SIZES = { 1: 28, 2: 22, 3: 18 } as const;

const WORDS: Readonly<Record<FieldTest['operator'], string>> = {
  present: 'has a value',
  absent: 'has no value',
  equals: 'is',
  differs: 'is not',
  greater: 'is more than',
  less: 'is less than',
};

const testWords = ({ field, operator, value }: FieldTest): string =>
  [field, WORDS[operator], operator === 'present' || operator === 'absent' ? '' : String(value)].join(' ').trim();

// The console's own page loads no pictures of others: each is in a document of its own, as the preview is.
function Shown({ src }: { readonly src: string }): ReactNode {
  const settled = useSettled(src);
  const html = `<body style="margin:0"><img src="${escaped(settled)}" alt="" style="display:block;width:100%;height:100vh;object-fit:contain"></body>`;
  return (
    <div className="picture-shown">
      <MessageFrame title="Picture" html={html} pictures />
    </div>
  );
}

const Picture: Faces['image'] = ({ block }) => {
  const { icon: Icon } = kindOf('image');
  const width = block.width === undefined ? '100%' : `min(100%, ${block.width}px)`;
  if (block.src.startsWith('https:'))
    return (
      <div className="picture-face" style={{ width, height: Math.min(260, Math.max(40, (block.width ?? 480) * 0.55)) }}>
        <Shown src={block.src} />
      </div>
    );
  return (
    <div className="picture-face none" style={{ width }}>
      <Icon aria-hidden="true" />
      <span>{block.src === '' ? 'Choose a picture' : block.src}</span>
      {block.alt !== '' && <span className="alt">{block.alt}</span>}
    </div>
  );
};

const Button: Faces['button'] = ({ block }) => {
  const { style, change } = useEditing();
  const color = block.color ?? style.color;
  const look: CSSProperties = {
    background: color,
    color: inkFor(color),
    borderRadius: style.radius,
    display: block.full ? 'block' : 'inline-block',
  };
  return (
    <div className="button-face" style={look}>
      <RichSpans label="Button label" value={block.label} change={(label) => change({ ...block, label })} />
    </div>
  );
};

const Columns: Faces['columns'] = ({ block, lists }) => {
  const shares = block.shares ?? block.columns.map(() => 100 / block.columns.length);
  return (
    <div className="columns-face" style={{ gridTemplateColumns: shares.map((share) => `minmax(0, ${share}fr)`).join(' ') }}>
      {block.columns.map((blocks, list) => (
        <div key={list} className="column-face" role="group" aria-label={`Column ${list + 1}`}>
          {lists(blocks, list)}
        </div>
      ))}
    </div>
  );
};

const Branch = ({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode => (
  <div className="branch-face" role="group" aria-label={label}>
    <p className="branch-label">{label}</p>
    {children}
  </div>
);

const Paragraphs: Faces['text'] = ({ block }) => {
  const { style, change } = useEditing();
  return (
    <div style={{ color: block.color ?? style.text, fontSize: block.size ?? 16 }}>
      <RichLines label="Text" value={block.lines} change={(lines) => change({ ...block, lines })} />
    </div>
  );
};

const Heading: Faces['heading'] = ({ block }) => {
  const { style, change } = useEditing();
  return (
    <div className="heading-face" style={{ color: block.color ?? style.text, fontSize: SIZES[block.level] }}>
      <RichSpans label="Heading" value={block.spans} change={(spans) => change({ ...block, spans })} />
    </div>
  );
};

const Social: Faces['social'] = ({ block }) => {
  const { style } = useEditing();
  return (
    <p className="social-face" style={{ color: style.color }}>
      {block.links.length === 0 ? 'Add links' : block.links.map(({ name }) => name).join('  ·  ')}
    </p>
  );
};

const Footer: Faces['footer'] = ({ block }) => {
  const { change } = useEditing();
  const links = [block.unsubscribe, block.preferences, block.browser].filter((label) => label !== undefined && label !== '');
  return (
    <div className="footer-face" style={{ color: QUIET }}>
      <RichLines label="Footer" value={block.lines} change={(lines) => change({ ...block, lines })} />
      {links.length > 0 && (
        <p>
          {links.map((label, at) => (
            <span key={at}>
              {at > 0 && ' · '}
              <u>{label}</u>
            </span>
          ))}
        </p>
      )}
    </div>
  );
};

const FACES: Faces = {
  text: Paragraphs,
  heading: Heading,
  image: Picture,
  button: Button,
  columns: Columns,
  social: Social,
  footer: Footer,
  divider: ({ block }) => <div className="divider-face" style={{ borderTopColor: block.color ?? LINE_COLOR }} />,
  spacer: ({ block }) => <div className="spacer-face" style={{ height: block.height }} />,
  html: ({ block }) => <pre className="html-face">{block.html.split('\n').slice(0, 6).join('\n')}</pre>,
  repeat: ({ block, lists }) => <Branch label={`For each ${block.name} of ${block.field}`}>{lists(block.blocks, 0)}</Branch>,
  condition: ({ block, lists }) => (
    <>
      <Branch label={`If ${block.tests.map(testWords).join(block.match === 'all' ? ' and ' : ' or ')}`}>{lists(block.blocks, 0)}</Branch>
      <Branch label="Otherwise">{lists(block.otherwise ?? [], 1)}</Branch>
    </>
  ),
};

interface Box {
  readonly align?: Align;
  readonly background?: string;
  readonly padding?: number;
}

const ROW_PADDING = 12;
const SIDE_PADDING = 24;

/** Returns whether a picture reaches the edges of the mail. */
const isFull = (block: Block): boolean => block.kind === 'image' && block.full === true;

/** Returns the space around a block, as it is in the mail. */
function paddingOf(block: Block, { padding }: Box, isInColumn: boolean): string {
  if (block.kind === 'repeat' || block.kind === 'condition') return '8px';
  const standard = isFull(block) || block.kind === 'spacer' ? 0 : ROW_PADDING;
  return `${padding ?? standard}px ${isInColumn || isFull(block) ? 0 : SIDE_PADDING}px`;
}

/** Shows a block as it looks in the mail, close enough to write it. */
export function Face({ block, lists, isInColumn }: FaceProps<Block> & { readonly isInColumn: boolean }): ReactNode {
  const { style } = useEditing();
  const Draw = FACES[block.kind] as (props: FaceProps<Block>) => ReactNode;
  const box = block as Box;
  const centered = block.kind === 'footer' || block.kind === 'social' ? 'center' : undefined;
  const look: CSSProperties = {
    fontFamily: familyOf(style.font),
    background: box.background,
    textAlign: box.align ?? centered,
    padding: paddingOf(block, box, isInColumn),
  };
  return (
    <div className={`face face-${block.kind}`} style={look}>
      <Draw block={block} lists={lists} />
    </div>
  );
}
