import { Megaphone } from 'lucide-react';
import type { Screen } from '../../shell/screen.ts';

export const CAMPAIGNS: readonly Screen[] = [
  {
    ...{ path: '/campaigns', needs: 'read', group: 'Content', label: 'Campaigns', icon: Megaphone },
    load: () => import('./campaigns.tsx').then(({ Campaigns }) => ({ default: Campaigns })),
  },
  {
    ...{ path: '/campaigns/start', needs: 'change' },
    load: () => import('./campaign-form.tsx').then(({ StartCampaign }) => ({ default: StartCampaign })),
  },
  {
    ...{ path: '/campaigns/new', needs: 'change' },
    load: () => import('./campaign-form.tsx').then(({ NewCampaign }) => ({ default: NewCampaign })),
  },
  {
    ...{ path: '/campaigns/:id', needs: 'read' },
    load: () => import('./campaign.tsx').then(({ CampaignPage }) => ({ default: CampaignPage })),
  },
  {
    ...{ path: '/campaigns/:id/edit', needs: 'change' },
    load: () => import('./campaign-form.tsx').then(({ EditCampaign }) => ({ default: EditCampaign })),
  },
];
