export { hook } from './hook';
