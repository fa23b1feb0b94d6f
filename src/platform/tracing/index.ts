export { tracing } from './trace';
