import { setTimeout as wait } from 'node:timers/promises';

export type Check = 'up' | 'down';

/** Whether what a process needs answers. Resolves to true when it does; may reject, or never come back. */
export type Question = () => Promise<boolean>;

/** An answer that takes longer is none. */
const ANSWER_MS = 2_000;
const EVERY_MS = 2_000;
/** A server that is down is checked this many times more often than one that is up. */
const SOONER = 8;

/** Resolves to `up` when the answer is yes, and comes soon enough. */
export async function checked(answer: Promise<boolean>, withinMs = ANSWER_MS): Promise<Check> {
  const up = await Promise.race([answer.catch(() => false), wait(withinMs, false, { ref: false })]);
  return up ? 'up' : 'down';
}

/** Asks again and again in the background, so that a probe is answered from memory. What was never asked is down. */
export class Upkeep<Name extends string> {
  private readonly states = new Map<Name, Check>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly questions: Readonly<Record<Name, Question>>,
    private readonly times: { readonly everyMs: number; readonly answerMs: number } = { everyMs: EVERY_MS, answerMs: ANSWER_MS },
  ) {}

  /** Returns what was answered last. */
  get checks(): Readonly<Record<Name, Check>> {
    const names = Object.keys(this.questions) as Name[];
    return Object.fromEntries(names.map((name) => [name, this.states.get(name) ?? 'down'])) as Record<Name, Check>;
  }

  start(): void {
    for (const [name, ask] of Object.entries<Question>(this.questions)) void this.ask(name as Name, ask);
  }

  stop(): void {
    this.stopping.abort();
  }

  private async ask(name: Name, question: Question): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const state = await checked(question(), this.times.answerMs);
      this.states.set(name, state);
      await wait(state === 'up' ? this.times.everyMs : this.times.everyMs / SOONER, undefined, { signal, ref: false }).catch(
        () => undefined,
      );
    }
  }
}
