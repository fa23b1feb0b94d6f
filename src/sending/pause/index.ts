export { currentPause, pauseSending, resumeSending } from './service';
