import { version } from '../../../package.json';

/** The version in package.json. */
export const VERSION = version;

/** Returns the name of what runs: its version, and what it was built from where that is said. */
export const releaseOf = ({ RELEASE_COMMIT }: { readonly RELEASE_COMMIT?: string | undefined }): string =>
  RELEASE_COMMIT === undefined ? VERSION : `${VERSION} (${RELEASE_COMMIT})`;
