import { fnv1a, mixed } from '../contracts/hash';

/** A transport that takes the mail of a route, and its part of it. */
interface Weighted {
  readonly transport: string;
  readonly weight: number;
}

/** Mail that goes over some transports: all conditions that are given have to hold. */
export interface TransportRoute {
  readonly project?: string | undefined;
  readonly type?: 'transactional' | 'marketing' | undefined;
  /** The id of a topic. */
  readonly topic?: string | undefined;
  /** `name:value`. */
  readonly tag?: string | undefined;
  /** The recipient's provider: a key of `mail-provider.ts`, or the domain of its mail exchangers. */
  readonly provider?: string | undefined;
  readonly use: readonly Weighted[];
  /** Taken in turn while none of `use` can be connected to. */
  readonly fallback: readonly string[];
}

/** The facts of a message by which routes choose. */
export interface RoutedMail {
  readonly _id: string;
  readonly projectId: string;
  readonly type: 'transactional' | 'marketing' | (string & {});
  readonly topic?: { readonly topicId: string } | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** The transport of mail that no route is for: the one of SMTP_URL. */
export const DEFAULT_TRANSPORT = 'default';

/** Returns whether a route has to know who takes the recipient's mail. */
export const asksProvider = (routes: readonly TransportRoute[]): boolean => routes.some(({ provider }) => provider !== undefined);

/** Returns whether some mail may have no route of its own. */
export const leavesMail = (routes: readonly TransportRoute[]): boolean =>
  !routes.some(({ project, type, topic, tag, provider }) => [project, type, topic, tag, provider].every((one) => one === undefined));

/**
 * Returns the transports of a message, the first to try first: the same for each attempt. The first route that matches decides. Of its transports, a message has
 * an order of its own, in which each comes first for its part of all mail; a change of weights moves only the mail that has to move.
 */
export function transportsFor(routes: readonly TransportRoute[], mail: RoutedMail, provider: string | null): readonly string[] {
  const route = routes.find((one) => matches(one, mail, provider));
  if (route === undefined) return [DEFAULT_TRANSPORT];
  const [only, ...others] = route.use;
  const chosen = only && others.length === 0 ? [only.transport] : inOrder(route.use, mail._id);
  return [...new Set([...chosen, ...route.fallback])];
}

/** Returns the transports that mail of a project may take. */
export function transportsOfProject(routes: readonly TransportRoute[], projectId: string): ReadonlySet<string> {
  const own = routes.filter(({ project }) => isAs(project, projectId)).map((route) => ({ ...route, project: undefined }));
  const last = own.findIndex((route) => !leavesMail([route]));
  const reached = last === -1 ? own : own.slice(0, last + 1);
  const named = reached.flatMap(({ use, fallback }) => [...use.map(({ transport }) => transport), ...fallback]);
  return new Set(last === -1 ? [...named, DEFAULT_TRANSPORT] : named);
}

const matches = ({ project, type, topic, tag, provider }: TransportRoute, mail: RoutedMail, takenBy: string | null): boolean =>
  isAs(project, mail.projectId) &&
  isAs(type, mail.type) &&
  isAs(topic, mail.topic?.topicId) &&
  isAs(provider, takenBy) &&
  (tag === undefined || mail.tags?.includes(tag) === true);

const isAs = (wanted: string | undefined, is: string | null | undefined): boolean => wanted === undefined || wanted === is;

/** Returns the transports in their order for an id, by weighted rendezvous hashing. */
const inOrder = (use: readonly Weighted[], id: string): readonly string[] =>
  use
    .map(({ transport, weight }) => ({ transport, score: -Math.log(lotOf(`${id}/${transport}`)) / weight }))
    .sort((a, b) => a.score - b.score)
    .map(({ transport }) => transport);

/** Returns a number between 0 and 1, neither included. */
const lotOf = (text: string): number => (mixed(fnv1a(text)) + 0.5) / 2 ** 32;
