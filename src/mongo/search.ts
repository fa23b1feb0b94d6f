/** Everything that a pattern could take for more than itself; NUL, which no BSON pattern may hold, is written as an escape. */
const SPECIAL = /[\\^$.*+?()[\]{}|]/g;

/** A condition on a string: it contains `text`, whatever the case of either. `text` is never read as a pattern. */
export const containing = (text: string): { readonly $regex: string; readonly $options: 'i' } => ({
  $regex: text.replaceAll(SPECIAL, '\\$&').replaceAll('\0', '\\x00'),
  $options: 'i',
});
