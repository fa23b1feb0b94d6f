import type { z } from 'zod';
import type { Why as Answer } from '../../src/marketing/why';
import { reasonOf } from '../../src/rules/why';
import type { Why } from './schemas';

type Wire = z.input<typeof Why>;

const isoOrNull = (date: Date | null): string | null => date && date.toISOString();

function toJudgement(judgement: Answer['judgements'][number]): Wire['judgements'][number] {
  const { check, asOf, at, ...facts } = judgement;
  return { check, passed: reasonOf(judgement) === null, asOf, at: isoOrNull(at), facts: { ...facts } };
}

const toAttempts = (attempts: Answer['attempts']): Wire['attempts'] =>
  attempts && {
    ...attempts,
    lastAt: isoOrNull(attempts.lastAt),
    nextAt: isoOrNull(attempts.nextAt),
    sentAt: isoOrNull(attempts.sentAt),
  };

export const toWhy = ({ judgements, attempts, nodes, ...why }: Answer): Wire => ({
  ...why,
  judgements: judgements.map(toJudgement),
  attempts: toAttempts(attempts),
  ...(nodes && { nodes: nodes.map((node) => ({ ...node, at: node.at.toISOString(), attempts: toAttempts(node.attempts) })) }),
});
