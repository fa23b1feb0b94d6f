import './models';
import { migrate } from './migrate';

/** Migrates the database to this release, before its processes start; processes of the previous release continue meanwhile. */
export const migrateAll = (say: (line: string) => void, contract = false): Promise<void> => migrate({ say, contract });
