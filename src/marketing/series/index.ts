export { cancelWithTurn, pauseWithTurn, resumeWithTurn } from './control';
export { advanceSeries } from './advance';
