import { ChartPie } from 'lucide-react';
import type { Screen } from '../../shell/screen.ts';

export const SEGMENTS: readonly Screen[] = [
  {
    ...{ path: '/segments', needs: 'read', group: 'Audience', label: 'Segments', icon: ChartPie },
    load: () => import('./segments.tsx').then(({ Segments }) => ({ default: Segments })),
  },
  {
    ...{ path: '/segments/new', needs: 'change' },
    load: () => import('./segment-form.tsx').then(({ NewSegment }) => ({ default: NewSegment })),
  },
  {
    ...{ path: '/segments/:id', needs: 'read' },
    load: () => import('./segment.tsx').then(({ SegmentPage }) => ({ default: SegmentPage })),
  },
  {
    ...{ path: '/segments/:id/edit', needs: 'change' },
    load: () => import('./segment-form.tsx').then(({ EditSegment }) => ({ default: EditSegment })),
  },
];
