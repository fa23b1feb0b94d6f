const whole = new Intl.NumberFormat();
const part = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 2 });

export const count = (value: number): string => whole.format(value);

/** Returns a rate; a dash where there is nothing to divide by. */
export const percent = (rate: number | null): string => (rate === null ? '–' : part.format(rate));
