/** A time in which a listener heard events, in versions of its project's listeners: `from` is in it, `until` is not. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** A span that is over matters only while the fan-out is behind, so a listener remembers its last ones. */
const REMEMBERED = 50;

/** Adds a span that has ended to those that a listener remembers. */
export const remembered = <S extends Span>(earlier: readonly S[], ended: S): readonly S[] => [...earlier, ended].slice(-REMEMBERED);

/** Returns whether a version of the listeners lies in a span. */
export const isWithin = (version: number, { from, until }: Span): boolean => version >= from && version < until;
