import { readSeldom } from '../../platform/mongo';
import { remedyOf } from '../../rules/policy-refusal';
import { ProviderHoldModel } from './model';
import type { ProviderHold } from './model';

/** Every process knows of a hold, and of its end, within this time. */
const KNOWN_MS = 1_000;

/** All holds of the installation, which are few. */
const all = readSeldom(KNOWN_MS, () => ProviderHoldModel.find({ since: { $gt: new Date(0) } }).lean<ProviderHold[]>());

/** All holds, read each second at most: without any, campaign mail asks nothing more. */
export const currentHolds = all.current;
export const forgetHolds = all.forget;

/** Returns the key of a project's mail to a provider. */
export const holdId = (projectId: string, provider: string): string => `${projectId}/${provider}`;

/** Reads the holds of a project. */
export const holdsOf = (projectId: string): Promise<readonly ProviderHold[]> =>
  ProviderHoldModel.find({ projectId, since: { $gt: new Date(0) } })
    .sort({ _id: 1 })
    .lean<ProviderHold[]>();

/** Returns what ends a hold, for people: what a sender can do, and which records are not there yet. */
export const howToEnd = ({ policy, missing }: Pick<ProviderHold, 'policy' | 'missing'>): string =>
  [remedyOf(policy), ...(missing.length > 0 ? [`DNS does not have: ${missing.join(', ')}.`] : [])].join(' ');

/** Ends all holds of a project. Resolves to whether there were any. */
export async function releaseHolds(projectId: string): Promise<boolean> {
  const { deletedCount } = await ProviderHoldModel.deleteMany({ projectId, since: { $gt: new Date(0) } });
  forgetHolds();
  return deletedCount > 0;
}

/** Lets a message be the one that shows whether the provider takes mail again. Resolves to false when another one is. */
export async function takeProbe({ _id }: ProviderHold, emailId: string): Promise<boolean> {
  const { modifiedCount } = await ProviderHoldModel.updateOne({ _id, probe: OPEN }, { $set: { probe: emailId, probeAt: new Date() } });
  return modifiedCount === 1;
}

/** The probe of a hold whose check has passed. */
export const OPEN = 'open';
