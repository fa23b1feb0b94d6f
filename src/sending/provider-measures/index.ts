export { MeasureBook } from './book';
export { currentMeasures, endMeasure } from './current';
export type { Measure } from './model';
