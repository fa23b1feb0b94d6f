export { MeasureBook, currentMeasures, endMeasure } from './book';
export type { Measure } from './model';
