export { cancelMinute, releaseMinute } from './minute';
export { startForgottenMinutes } from './forgotten';
