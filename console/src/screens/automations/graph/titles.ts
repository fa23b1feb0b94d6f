import { useMemo } from 'react';
import type { Tree } from '../../../parts/conditions/language.ts';
import { useSegments } from '../../../parts/conditions/names.tsx';
import { fieldWords, treeWords } from '../../../parts/conditions/words.ts';
import { whenWords } from '../../../parts/dates.tsx';
import { spanWords } from '../../../parts/span.tsx';
import type { Span } from '../../../parts/span.tsx';
import { useTemplates } from '../../../parts/templates.ts';
import { CONTACT_FIELDS, namesIn, textIn, typeWords } from './model.ts';
import type { Config, GraphNode, NodeType } from './model.ts';

/** Names of what steps refer to, by id. */
interface Names {
  readonly templates: ReadonlyMap<string, string>;
  readonly segments: ReadonlyMap<string, string>;
}

const LONGEST = 90;

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1).trimEnd()}…` : text);

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const spanIn = (span: unknown): string => (span === undefined ? '' : spanWords(span as Span));

function delayWords(config: Config): string {
  const until = textIn(config, 'until');
  if ('until' in config) return Number.isNaN(Date.parse(until)) ? '' : `until ${whenWords(until)}`;
  return 'time' in config ? `until ${textIn(config, 'time')} (${textIn(config, 'timezone')})` : spanIn(config);
}

function waitWords({ event, timeout }: Config): string {
  const most = timeout === undefined ? '' : `up to ${spanIn(timeout)}`;
  return [event, most].filter(Boolean).join(', ');
}

const SUBSCRIBES = new Map<unknown, string>([
  [true, 'subscribe'],
  [false, 'unsubscribe'],
]);

function updateWords(config: Config): string {
  const own = CONTACT_FIELDS.map(([field]) => field).filter((field) => field in config);
  const fields = [...own, ...Object.keys(config['data'] ?? {})].map(fieldWords);
  const change = fields.length > 0 && `change ${fields.join(', ')}`;
  return capitalized([SUBSCRIBES.get(config['subscribed']), change].filter(Boolean).join(', '));
}

const conditionWords = (tree: unknown, { segments }: Names): string =>
  tree === undefined ? '' : treeWords(tree as Tree, (id) => segments.get(id));

const segmentWords = (config: Config, { segments }: Names): string => segments.get(textIn(config, 'segmentId')) ?? '';

const SUMMARIES: Readonly<Record<NodeType, (config: Config, names: Names) => string>> = {
  trigger: ({ filter }, names) => (filter === undefined ? 'Any contact' : conditionWords(filter, names)),
  send_email: (config, { templates }) =>
    'templateId' in config ? (templates.get(textIn(config, 'templateId')) ?? '') : textIn(config, 'subject'),
  digest: ({ window }) => `Gathers for ${spanIn(window)}`,
  delay: delayWords,
  wait_for_event: waitWords,
  condition: ({ conditions }, names) => conditionWords(conditions, names),
  switch: (config) => fieldWords(textIn(config, 'field')),
  split: ({ branches }) => namesIn(branches).join(' / '),
  update_contact: updateWords,
  add_to_segment: segmentWords,
  remove_from_segment: segmentWords,
  emit_event: (config) => textIn(config, 'name'),
  webhook: (config) => `${textIn(config, 'method')} ${textIn(config, 'url')}`,
  exit: (config) => textIn(config, 'reason'),
};

export interface Titles {
  /** Returns the name of a step, or what it does; empty where nothing is known but its type. */
  readonly titleOf: (node: GraphNode) => string;
  /** Returns a step in a list of steps: its type, and its title if it has one. */
  readonly labelOf: (node: GraphNode) => string;
}

/** Returns what steps are called: with the names of templates and segments, as soon as those are loaded. */
export function useTitles(): Titles {
  const templates = useTemplates();
  const { data: segments } = useSegments();
  return useMemo(() => {
    const names: Names = {
      templates: new Map(templates),
      segments: new Map(segments?.map(({ segmentId, name }) => [segmentId, name])),
    };
    const titleOf = ({ type, name, config }: GraphNode): string => (name ?? '') || cut(SUMMARIES[type](config, names));
    return { titleOf, labelOf: (node) => [typeWords(node.type), titleOf(node)].filter(Boolean).join(': ') };
  }, [templates, segments]);
}
