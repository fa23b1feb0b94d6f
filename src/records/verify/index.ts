export { REASONS, RESULTS, isDisposable, verifyAddress } from './service';
