export { cancelWithTurn, pauseWithTurn, resumeWithTurn } from './control';
export { seriesTurn } from './turn';
