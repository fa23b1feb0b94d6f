/** Returns whether an address is a simulated recipient: they end as their local part says, with any key (docs/sending.md). */
export const isSimulated = (email: string, platformDomain: string): boolean => email.endsWith(`@simulator.${platformDomain}`);
