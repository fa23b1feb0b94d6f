/** A request for the pixel or for a link of a message. */
export interface Visit {
  readonly kind: 'open' | 'click';
  /** The link; null for an open, and where it is not kept. */
  readonly url: string | null;
  /** Equal for requests from one address with one user agent; null where that is not known. */
  readonly client: string | null;
  /** In milliseconds. */
  readonly at: number;
  /** Why it is a machine's, by what the request shows or as it was judged before; null for a person's. */
  readonly machine: string | null;
  /** A proxy loaded the image, for anyone who reads behind it. */
  readonly isProxied: boolean;
}

/** The way of a message, as far as visits are judged by it. */
export interface Arrival {
  /** When the next server accepted it, in milliseconds; null where it has not. */
  readonly sentAt: number | null;
  /** It is on its way to the next server. */
  readonly isGoing: boolean;
  /** It has an image that counts opens. */
  readonly countsOpens: boolean;
}

/** Why a visit is a machine's by its time, among the visits of its message (docs/tracking.md, Machines). */
export type TimingReason = 'too-fast' | 'no-open' | 'burst' | 'same-client';

/** Nobody gets a message, reads it and clicks within this time. */
const TOO_FAST_MS = 3_000;
/** Nobody clicks within this time without having loaded the images. */
const NO_OPEN_MS = 10_000;
/** Number of links that nobody follows by hand at once. */
const BURST_LINKS = 3;
const BURST_MS = 2_000;
/** Opens and clicks of the same client this close to a machine's click are the machine's. */
export const COMPANY_MS = 60_000;

/**
 * Judges the visits of a message, in the order they came: returns for each the reason to take it for a machine's, or null. Who was a machine stays one. A later visit can make
 * earlier ones a machine's; visits more than a minute before it change nothing.
 */
export function judgeVisits(visits: readonly Visit[], arrival: Arrival): readonly (string | null)[] {
  const burst = burstOf(visits);
  const own = visits.map((visit) => visit.machine ?? reasonOf(visit, visits, burst, arrival));
  const caught = visits.filter((_, index) => isEvidence(own[index]));
  const isInCompany = ({ client, at, isProxied }: Visit): boolean =>
    client !== null && !isProxied && caught.some((other) => other.client === client && Math.abs(other.at - at) <= COMPANY_MS);
  return visits.map((visit, index) => own[index] ?? (isInCompany(visit) ? 'same-client' : null));
}

// A browser that prefetches, and a person's own programs, share the client with that person: what a request shows is no evidence against
// others.
const isEvidence = (reason: string | null | undefined): boolean => reason === 'too-fast' || reason === 'no-open' || reason === 'burst';

function reasonOf(visit: Visit, visits: readonly Visit[], burst: ReadonlySet<Visit>, arrival: Arrival): TimingReason | null {
  if (visit.kind === 'open') return null;
  const age = ageAt(visit.at, arrival);
  if (age !== null && age < TOO_FAST_MS) return 'too-fast';
  if (age !== null && age < NO_OPEN_MS && arrival.countsOpens && !isOpenedBefore(visit, visits)) return 'no-open';
  return burst.has(visit) ? 'burst' : null;
}

/** Returns the time since delivery; null where that is not known. */
function ageAt(at: number, { sentAt, isGoing }: Arrival): number | null {
  if (sentAt !== null) return at - sentAt;
  return isGoing ? 0 : null;
}

const isOpenedBefore = ({ client, at }: Visit, visits: readonly Visit[]): boolean =>
  visits.some((other) => other.kind === 'open' && other.at <= at && (other.isProxied || (client !== null && other.client === client)));

/** Returns the clicks that are among those of three links within two seconds. */
function burstOf(visits: readonly Visit[]): ReadonlySet<Visit> {
  const clicks = visits.filter(({ kind, url }) => kind === 'click' && url !== null).sort((a, b) => a.at - b.at);
  const burst = new Set<Visit>();
  for (const [index, first] of clicks.entries()) {
    const together: Visit[] = [];
    for (let next = index; next < clicks.length && clicks[next]!.at - first.at <= BURST_MS; next++) together.push(clicks[next]!);
    if (new Set(together.map(({ url }) => url)).size >= BURST_LINKS) for (const click of together) burst.add(click);
  }
  return burst;
}

/** Engagement of people with a message: instants in milliseconds. A first click is an open too when none came before it. */
export interface PeoplesVisits {
  readonly opens: number;
  readonly clicks: number;
  readonly openedAt: number | null;
  readonly clickedAt: number | null;
}

/** Adds visits, in the order they came, to what people did before them. `reasons` are those of the visits. */
export function addVisits(before: PeoplesVisits, visits: readonly Visit[], reasons: readonly (string | null)[]): PeoplesVisits {
  let { opens, clicks, openedAt, clickedAt } = before;
  for (const [index, { kind, at }] of visits.entries()) {
    if (reasons[index] !== null) continue;
    if (kind === 'open' || openedAt === null) opens += 1;
    openedAt ??= at;
    if (kind === 'open') continue;
    clicks += 1;
    clickedAt ??= at;
  }
  return { opens, clicks, openedAt, clickedAt };
}
