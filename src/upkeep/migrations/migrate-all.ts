import './models';
import { migrate } from './migrate';

/** Brings the database to what this release needs. Before any process of it starts; those of the release before go on meanwhile. */
export const migrateAll = (say: (line: string) => void, contract = false): Promise<void> => migrate({ say, contract });
