/** As many bytes as a body may have: ten mebibytes of numbers. */
const LARGEST = `[${'1,'.repeat(5 * 1024 * 1024 - 2)}1]`;

/** Parses the largest body there may be: how long that takes tells what this machine does in a time, as busy as it is. */
export const parseTheMost = (): unknown => JSON.parse(LARGEST);
