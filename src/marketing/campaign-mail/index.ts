export { CAMPAIGN_WORK } from './work';
