export { sweepProcesses } from './under-way';
