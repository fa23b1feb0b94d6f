import { createHash, randomBytes } from 'node:crypto';
import { AppError, addressId } from '../../platform/core';
import type { Core, ProjectFacts } from '../../platform/core';
import { takeAll } from '../../platform/limits';
import { isProof, paceOf } from '../../rules/form-limits';
import type { Form, FormRefusal } from './model';

const signed = (formId: string, at: string, chance: string): string => `${formId}/${at}/${chance}`;

/** Returns what the page of a form carries: when it was drawn, and what its proof of work is about. */
export function challengeFor({ secrets }: Pick<Core, 'secrets'>, { _id }: Pick<Form, '_id'>, now: Date): string {
  const at = now.getTime().toString(36);
  const chance = randomBytes(9).toString('hex');
  return `${at}.${chance}.${secrets.sign('form', signed(_id, at, chance))}`;
}

/** Returns when a challenge was created; null for one that was not created for the form. */
function madeAt({ secrets }: Pick<Core, 'secrets'>, { _id }: Pick<Form, '_id'>, challenge: string): number | null {
  const [, at = '', chance = '', signature = ''] = /^([0-9a-z]{1,11})\.([0-9a-f]{18})\.([0-9a-z]{28})$/.exec(challenge) ?? [];
  return secrets.verify('form', signed(_id, at, chance), signature) ? Number.parseInt(at, 36) : null;
}

/** Parts of a sent form that a person does not fill in. */
export interface Sent {
  readonly challenge: string | null;
  readonly proof: string | null;
}

/**
 * Resolves to why a form was not sent by a person, as far as its time and its proof of work tell; null if no sign of a robot was found. A form on the owner's own
 * page carries no challenge. Each challenge serves for one proof.
 */
export async function suspicionOf(
  core: Core,
  project: Pick<ProjectFacts, 'idSalt'>,
  form: Form,
  { challenge, proof }: Sent,
  now: Date,
): Promise<Extract<FormRefusal, 'tooFast' | 'proofOfWork'> | null> {
  const drawnAt = challenge === null ? null : madeAt(core, form, challenge);
  const pace = drawnAt === null ? null : paceOf(now.getTime() - drawnAt);
  if (pace === 'too_fast') return 'tooFast';
  if (!form.proofOfWork) return null;
  if (pace !== 'human' || challenge === null || !isSolved(challenge, proof)) return 'proofOfWork';
  return (await isUsed(project, challenge)) ? 'proofOfWork' : null;
}

const isSolved = (challenge: string, proof: string | null): boolean =>
  proof !== null && /^\d{1,12}$/.test(proof) && isProof(createHash('sha256').update(`${challenge}:${proof}`).digest('hex'));

const DAY_MS = 86_400_000;

async function isUsed({ idSalt }: Pick<ProjectFacts, 'idSalt'>, challenge: string): Promise<boolean> {
  try {
    await takeAll('proofs', [{ id: addressId('lim', idSalt, `challenge ${challenge}`), limit: 1, windowMs: DAY_MS }]);
    return false;
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return true;
    throw error;
  }
}
