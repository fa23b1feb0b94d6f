/** Returns a written text without blanks around it; null where nothing was written. */
export const orNull = (text: string): string | null => text.trim() || null;

/** Returns what a plan is called: “Free plan”. */
export const planName = (plan: string): string => `${plan.charAt(0).toUpperCase()}${plan.slice(1)} plan`;
