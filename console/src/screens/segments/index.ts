import { ChartPie } from 'lucide-react';
import { lazy } from 'react';
import type { Screen } from '../../shell/screen.ts';

export const SEGMENTS: readonly Screen[] = [
  {
    ...{ path: '/segments', needs: 'read', group: 'Audience', label: 'Segments', icon: ChartPie },
    View: lazy(() => import('./segments.tsx').then(({ Segments }) => ({ default: Segments }))),
  },
  {
    ...{ path: '/segments/new', needs: 'change' },
    View: lazy(() => import('./segment-form.tsx').then(({ NewSegment }) => ({ default: NewSegment }))),
  },
  {
    ...{ path: '/segments/:id', needs: 'read' },
    View: lazy(() => import('./segment.tsx').then(({ SegmentPage }) => ({ default: SegmentPage }))),
  },
  {
    ...{ path: '/segments/:id/edit', needs: 'change' },
    View: lazy(() => import('./segment-form.tsx').then(({ EditSegment }) => ({ default: EditSegment }))),
  },
];
