export { connectTemporal, temporalAnswers, temporalConnection } from './connect';
export { processCore } from './process-core';
export { createProcesses } from './processes';
export { ensureSchedules, schedulesAreThere } from './schedules';
export { SEARCH_ATTRIBUTES, ensureSearchAttributes } from './search-attributes';
