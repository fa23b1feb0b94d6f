import type { CampaignWork } from '../../sending/deliver';
import { takePages, workersWithPages } from '../campaigns';
import { sendPage } from './page';
import { takeOverClaims } from './take-over-claims';

/** The parts of campaign mail that delivery calls. */
export const CAMPAIGN_WORK: CampaignWork = { sendPage, workers: workersWithPages, takePages, takeOverClaims };
