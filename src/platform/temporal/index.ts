export { connectTemporal, temporalAnswers, temporalConnection, processCore } from './connect';
export { createProcesses } from './processes';
export { ensureSchedules, schedulesAreThere } from './schedules';
export { SEARCH_ATTRIBUTES, ensureSearchAttributes } from './search-attributes';
