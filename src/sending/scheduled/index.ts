export { cancelMinute, releaseMinute, startForgottenMinutes } from './minute';
