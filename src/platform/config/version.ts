/** As package.json has it. */
export { version as VERSION } from '../../../package.json';
