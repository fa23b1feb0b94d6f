import type { CampaignWork } from '../../sending/deliver/hooks';
import { takePages, workersWithPages } from '../campaigns/page-claims';
import { sendPage } from './page';
import { takeOverClaims } from './take-over-claims';

/** What campaign mail does for delivery. */
export const CAMPAIGN_WORK: CampaignWork = { sendPage, workers: workersWithPages, takePages, takeOverClaims };
