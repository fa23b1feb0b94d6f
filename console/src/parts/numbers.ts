const whole = new Intl.NumberFormat();
const part = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 2 });

export const count = (value: number): string => whole.format(value);

/** Returns a number of things with their name, whose plural ends in `s`. */
export const counted = (value: number, name: string): string => `${count(value)} ${value === 1 ? name : `${name}s`}`;

/** Returns a rate; a dash where there is nothing to divide by. */
export const percent = (rate: number | null): string => (rate === null ? '–' : part.format(rate));

/** Returns the size of a file, in the unit that suits it. */
export const bytes = (size: number): string =>
  size < 1_000_000 ? `${count(Math.max(1, Math.round(size / 1_000)))} kB` : `${(size / 1_000_000).toFixed(1)} MB`;

/** Returns a time in milliseconds; a dash where none was taken. */
export const milliseconds = (time: number | null): string => (time === null ? '–' : `${count(time)} ms`);
