/** Why a process does not start: a sentence for the person who started it. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}
