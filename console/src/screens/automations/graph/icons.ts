import {
  CirclePlus,
  CircleMinus,
  Clock,
  GitFork,
  Hourglass,
  Layers,
  LogOut,
  Mail,
  Send,
  Shuffle,
  UserPen,
  Webhook,
  Waypoints,
  Zap,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { NodeType } from './model.ts';

export const ICONS: Readonly<Record<NodeType, LucideIcon>> = {
  trigger: Zap,
  send_email: Mail,
  digest: Layers,
  delay: Clock,
  wait_for_event: Hourglass,
  condition: GitFork,
  switch: Waypoints,
  split: Shuffle,
  update_contact: UserPen,
  add_to_segment: CirclePlus,
  remove_from_segment: CircleMinus,
  emit_event: Send,
  webhook: Webhook,
  exit: LogOut,
};

/** Kinds of steps, by what they do: each has a color of its own. */
const KINDS = {
  starts: ['trigger', 'exit'],
  sends: ['send_email', 'digest'],
  waits: ['delay', 'wait_for_event'],
  decides: ['condition', 'switch', 'split'],
} as const satisfies Readonly<Record<string, readonly NodeType[]>>;

export const kindOf = (type: NodeType): string =>
  Object.entries(KINDS).find(([, types]) => (types as readonly NodeType[]).includes(type))?.[0] ?? 'acts';
