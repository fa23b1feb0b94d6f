import type { CSSProperties, ReactNode } from 'react';
import { MessageFrame } from '../message-frame.tsx';
import { useSettled } from '../settled.ts';
import { BlockList } from './canvas.tsx';
import { useEditing } from './editing.ts';
import { kindOf } from './kinds.ts';
import { LINE_COLOR, QUIET, escaped, familyOf, inkFor } from './model.ts';
import type { Block, BlockKind, FieldTest } from './model.ts';
import { RichLines, RichSpans } from './rich-text.tsx';

type Faces = { readonly [Kind in BlockKind]: (props: { readonly block: Extract<Block, { readonly kind: Kind }> }) => ReactNode };

const SIZES = { 1: 28, 2: 22, 3: 18 } as const;

const WORDS: Readonly<Record<FieldTest['operator'], string>> = {
  ...{ present: 'has a value', absent: 'has no value', equals: 'is', differs: 'is not', greater: 'is more than', less: 'is less than' },
};

export const testWords = ({ field, operator, value }: FieldTest): string =>
  [field, WORDS[operator], operator === 'present' || operator === 'absent' ? '' : String(value)].join(' ').trim();

/** The console's own page loads no pictures of others: each is in a document of its own, as the preview is. */
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

const Columns: Faces['columns'] = ({ block }) => {
  const shares = block.shares ?? block.columns.map(() => 100 / block.columns.length);
  return (
    <div className="columns-face" style={{ gridTemplateColumns: shares.map((share) => `minmax(0, ${share}fr)`).join(' ') }}>
      {block.columns.map((blocks, list) => (
        <div key={list} className="column-face" role="group" aria-label={`Column ${list + 1}`}>
          <BlockList blocks={blocks} parent={block.id} list={list} />
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

const FACES: Faces = {
  text: ({ block }) => {
    const { style, change } = useEditing();
    return (
      <div style={{ color: block.color ?? style.text, fontSize: block.size ?? 16 }}>
        <RichLines label="Text" value={block.lines} change={(lines) => change({ ...block, lines })} />
      </div>
    );
  },
  heading: ({ block }) => {
    const { style, change } = useEditing();
    return (
      <div className="heading-face" style={{ color: block.color ?? style.text, fontSize: SIZES[block.level] }}>
        <RichSpans label="Heading" value={block.spans} change={(spans) => change({ ...block, spans })} />
      </div>
    );
  },
  image: Picture,
  button: Button,
  columns: Columns,
  divider: ({ block }) => <div className="divider-face" style={{ borderTopColor: block.color ?? LINE_COLOR }} />,
  spacer: ({ block }) => <div className="spacer-face" style={{ height: block.height }} />,
  social: ({ block }) => {
    const { style } = useEditing();
    return (
      <p className="social-face" style={{ color: style.color }}>
        {block.links.length === 0 ? 'Add links' : block.links.map(({ name }) => name).join('  ·  ')}
      </p>
    );
  },
  html: ({ block }) => <pre className="html-face">{block.html.split('\n').slice(0, 6).join('\n')}</pre>,
  footer: ({ block }) => {
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
  },
  repeat: ({ block }) => (
    <Branch label={`For each ${block.name} of ${block.field}`}>
      <BlockList blocks={block.blocks} parent={block.id} list={0} />
    </Branch>
  ),
  condition: ({ block }) => (
    <>
      <Branch label={`If ${block.tests.map(testWords).join(block.match === 'all' ? ' and ' : ' or ')}`}>
        <BlockList blocks={block.blocks} parent={block.id} list={0} />
      </Branch>
      <Branch label="Otherwise">
        <BlockList blocks={block.otherwise ?? []} parent={block.id} list={1} />
      </Branch>
    </>
  ),
};

const isContainer = ({ kind }: Block): boolean => kind === 'repeat' || kind === 'condition';

/** A block as it looks in the mail, close enough to write it. */
export function Face({ block, depth }: { readonly block: Block; readonly depth: number }): ReactNode {
  const { style } = useEditing();
  const Draw = FACES[block.kind] as (props: { readonly block: Block }) => ReactNode;
  const box = 'background' in block || 'align' in block || 'padding' in block ? block : undefined;
  const isFull = block.kind === 'image' && block.full === true;
  const padding = (box && 'padding' in box ? box.padding : undefined) ?? (isFull || block.kind === 'spacer' ? 0 : 12);
  const centered = block.kind === 'footer' || block.kind === 'social' ? 'center' : undefined;
  const look: CSSProperties = {
    fontFamily: familyOf(style.font),
    background: box && 'background' in box ? box.background : undefined,
    textAlign: (box && 'align' in box ? box.align : undefined) ?? centered,
    padding: isContainer(block) ? '8px' : `${padding}px ${depth > 0 || isFull ? 0 : 24}px`,
  };
  return (
    <div className={`face face-${block.kind}`} style={look}>
      <Draw block={block} />
    </div>
  );
}
