export { REASONS, RESULTS, verifyAddress } from './service';
