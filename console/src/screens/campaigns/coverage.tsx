import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { contentName } from '../../parts/languages/names.ts';
import { count, percent } from '../../parts/numbers.ts';

/** Says which recipients of a campaign would get which language; nothing for a campaign in one language. */
export function Coverage({ campaign: { campaignId, variants } }: { readonly campaign: Schemas['CampaignDetail'] }): ReactNode {
  const { data } = useQuery({
    queryKey: ['campaigns', campaignId, 'coverage'],
    queryFn: () => api.getCampaignCoverage(campaignId),
    enabled: variants !== undefined,
  });
  if (variants === undefined) return null;
  if (!data) return <p role="status">Counting the languages …</p>;
  return (
    <table>
      <caption>Languages</caption>
      <thead>
        <tr>
          <th scope="col">Language</th>
          <th scope="col">Recipients</th>
          <th scope="col">Share</th>
          <th scope="col">Missing</th>
        </tr>
      </thead>
      <tbody>
        {data.languages.map(({ language, recipients, share: part, missing }) => (
          <tr key={language ?? ''}>
            <td>{contentName(language)}</td>
            <td>{count(recipients)}</td>
            <td>{percent(part)}</td>
            <td>{missing.join(', ')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
