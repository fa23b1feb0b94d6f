export { MeasureBook } from './book';
export type { Measure } from './model';
