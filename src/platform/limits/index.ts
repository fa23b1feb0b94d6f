export { takeAll } from './limits';
