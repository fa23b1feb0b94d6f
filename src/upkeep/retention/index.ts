export { retentionTurn } from './turn';
