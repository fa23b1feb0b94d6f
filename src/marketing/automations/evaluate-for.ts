import { contactWithFacts } from '../../audience/contacts';
import type { Contact } from '../../audience/contacts';
import { topicsAsked } from '../../audience/topics';
import type { StoredTree } from '../../rules/automation/graph';
import { startsAsked } from '../../records/emails';
import { compileFacts } from '../../rules/conditions/compile';
import type { SentBy } from '../../rules/conditions/compile-activity';
import { evaluate } from '../../rules/conditions/evaluate';
import { factsNeeded } from '../../rules/conditions/inventory';
import { meant } from '../../rules/automation/trees';
import type { Happened } from './texts';

interface Evaluated {
  readonly contact: Contact;
  /** Whether each tree holds. */
  readonly holds: readonly boolean[];
}

/** Evaluates trees for a contact as it is now, read in one query; null if the contact does not exist. `sentBy`: the ids of an execution's messages. */
export async function evaluateFor(
  projectId: string,
  contactId: string,
  trees: readonly StoredTree[],
  { trigger, items }: Happened,
  now: Date,
  sentBy?: SentBy,
): Promise<Evaluated | null> {
  const parsed = trees.map(meant);
  const needed = factsNeeded(...parsed);
  const { stages, read } = compileFacts(needed, projectId, await startsAsked(projectId, needed), sentBy);
  const contact = await contactWithFacts(projectId, contactId, stages);
  if (!contact) return null;
  const facts = { ...read(contact), trigger, ...(items && { items }), topics: await topicsAsked(projectId, ...parsed) };
  return { contact, holds: parsed.map((tree) => evaluate(tree, contact, facts, now)) };
}
