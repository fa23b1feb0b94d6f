/**
 * A question that rooms above answer for a room below, which cannot import them. The room below declares it; the composition root says who answers
 * (`src/composition`). A hook without answers throws where it is asked, so that a process that forgot its composition root fails at once.
 */
export interface Hook<Answer> {
  /** Adds an answer, under the name of the room that gives it; the same name again replaces it. */
  answer(by: string, answer: Answer): void;
  /** Lists the answers in the order in which they were added. Throws when there is none. */
  readonly answers: readonly Answer[];
  /** Lists the same where there may be none. */
  readonly optional: readonly Answer[];
  /** Names the answers: which rooms they are of. Throws when there is none. */
  readonly named: readonly (readonly [by: string, answer: Answer])[];
  /** Gives the answer of a hook that one room answers. Throws when there is none, or more than one. */
  readonly only: Answer;
}

const NONE: readonly never[] = [];

/** Declares a question; `name` appears in the error of a process that has no answer. */
export function hook<Answer>(name: string): Hook<Answer> {
  const given = new Map<string, Answer>();
  const required = (): Map<string, Answer> => {
    if (given.size === 0) throw new Error(`No room answers “${name}”: this process did not call compose()`);
    return given;
  };
  return {
    answer: (by, answer) => void given.set(by, answer),
    get answers() {
      return [...required().values()];
    },
    get optional() {
      return given.size === 0 ? NONE : [...given.values()];
    },
    get named() {
      return [...required()];
    },
    get only() {
      const [first, ...others] = required().values();
      if (others.length > 0) throw new Error(`More than one room answers “${name}”`);
      return first as Answer;
    },
  };
}
