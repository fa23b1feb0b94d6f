import { Megaphone } from 'lucide-react';
import { lazy } from 'react';
import type { Screen } from '../../shell/screen.ts';

export const CAMPAIGNS: readonly Screen[] = [
  {
    ...{ path: '/campaigns', needs: 'read', group: 'Content', label: 'Campaigns', icon: Megaphone },
    View: lazy(() => import('./campaigns.tsx').then(({ Campaigns }) => ({ default: Campaigns }))),
  },
  {
    ...{ path: '/campaigns/start', needs: 'change' },
    View: lazy(() => import('./campaign-form.tsx').then(({ StartCampaign }) => ({ default: StartCampaign }))),
  },
  {
    ...{ path: '/campaigns/new', needs: 'change' },
    View: lazy(() => import('./campaign-form.tsx').then(({ NewCampaign }) => ({ default: NewCampaign }))),
  },
  {
    ...{ path: '/campaigns/:id', needs: 'read' },
    View: lazy(() => import('./campaign.tsx').then(({ CampaignPage }) => ({ default: CampaignPage }))),
  },
  {
    ...{ path: '/campaigns/:id/edit', needs: 'change' },
    View: lazy(() => import('./campaign-form.tsx').then(({ EditCampaign }) => ({ default: EditCampaign }))),
  },
];
