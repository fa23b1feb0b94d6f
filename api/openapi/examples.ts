import answers from './answers.json';
import { STORY } from './story';
import type { Given } from './story';

interface Example extends Given {
  /** What a server answered, with the ids of the story. */
  readonly answer?: unknown;
}

const ANSWERS = answers as Readonly<Record<string, unknown>>;

const EXAMPLES: ReadonlyMap<string, Example> = new Map(
  STORY.map(([operationId, given]) => [operationId, { ...given, answer: ANSWERS[operationId] }]),
);

/** Returns what the document shows of a call of an operation. */
export const exampleOf = (operationId: string): Example | undefined => EXAMPLES.get(operationId);
