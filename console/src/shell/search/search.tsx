import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Search as SearchIcon } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { Dialog } from '../../parts/dialog.tsx';
import { useSettled } from '../../parts/settled.ts';
import { useAllowed } from '../../session/session.ts';
import { isMac, useKeys } from '../shortcuts/keys.ts';
import { focusFilter } from '../shortcuts/rows.ts';
import { directFor, holds, screensFor, searchedFor } from './find.ts';
import type { Hit, Searched } from './find.ts';
import './search.css';

/** The longest text that the API searches for. */
const MOST_SEARCHED = 200;

interface Found {
  readonly hits: readonly Hit[];
  readonly isLooking: boolean;
  /** The lists that could not be searched, each with the reason. */
  readonly failed: readonly string[];
}

const NOTHING: Searched = { hits: [], failed: [] };

/** Finds the results for a text: the local ones at once, then those of the API. Until these arrive, earlier ones that hold the text stay. */
function useHits(text: string): Found {
  const may = useAllowed();
  const settled = useSettled(text);
  const {
    data = NOTHING,
    isPlaceholderData,
    isFetching,
  } = useQuery({
    queryKey: ['search', settled],
    queryFn: ({ signal }) => searchedFor(settled, { signal }),
    enabled: may('read') && settled !== '',
    placeholderData: keepPreviousData,
  });
  const screens = screensFor(text, ({ needs }) => may(needs));
  if (text === '') return { hits: screens, isLooking: false, failed: [] };
  const isCurrent = settled === text && !isPlaceholderData;
  const searched = isCurrent ? data.hits : data.hits.filter(({ title }) => holds(title, text));
  return {
    hits: [...directFor(text), ...screens, ...searched],
    isLooking: settled !== text || isFetching,
    failed: isCurrent ? data.failed : [],
  };
}

interface ResultsProps {
  readonly id: string;
  readonly hits: readonly Hit[];
  readonly chosen: number;
  readonly open: (hit: Hit) => void;
}

const Results = ({ id, hits, chosen, open }: ResultsProps): ReactNode => (
  <div id={id} role="listbox" aria-label="Results" className="hits">
    {hits.map((hit, at) => (
      <button
        key={`${hit.kind} ${hit.to}`}
        {...{ type: 'button', role: 'option', id: `${id}-${at}`, tabIndex: -1, 'aria-selected': at === chosen }}
        onClick={() => open(hit)}
      >
        <span>{hit.title}</span>
        <span className="hint">{hit.kind}</span>
      </button>
    ))}
  </div>
);

function Finder({ close }: { readonly close: () => void }): ReactNode {
  const list = useId();
  const goTo = useNavigate();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const { hits, isLooking, failed } = useHits(text.trim());
  const chosen = Math.min(at, hits.length - 1);
  useEffect(() => document.getElementById(`${list}-${chosen}`)?.scrollIntoView({ block: 'nearest' }), [list, chosen]);
  const open = ({ to }: Hit): void => {
    close();
    void goTo(to);
  };
  const press = (event: KeyboardEvent): void => {
    const hit = hits[chosen];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((chosen + step + hits.length) % Math.max(hits.length, 1));
    else if (event.key === 'Enter' && hit) open(hit);
    else return;
    event.preventDefault();
  };
  const isEmpty = hits.length === 0 && !isLooking && failed.length === 0;
  return (
    <>
      <input
        {...{ type: 'search', role: 'combobox', 'aria-label': 'Search', 'aria-expanded': true, 'aria-controls': list }}
        aria-activedescendant={chosen >= 0 ? `${list}-${chosen}` : undefined}
        placeholder="Contacts, campaigns, email subjects, pages, IDs"
        autoComplete="off"
        maxLength={MOST_SEARCHED}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <Results id={list} hits={hits} chosen={chosen} open={open} />
      {failed.length > 0 && (
        <p className="fault" role="alert">
          Search failed for {failed.join('; ')}
        </p>
      )}
      <p className="hint" role="status">
        {isEmpty ? 'No results. Try part of a name or an email address.' : isLooking ? 'Searching …' : ''}
      </p>
    </>
  );
}

/** Finds anything by its name, address or id. Opens with Ctrl+K, Command+K, its button, or / on a screen without filters. */
export function Search(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [keys] = useState({ '/': () => void (focusFilter() || setOpen(true)) });
  useKeys(keys);
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <button type="button" className="search-button" onClick={() => setOpen(true)} aria-keyshortcuts="Control+K Meta+K">
        <SearchIcon aria-hidden="true" size={16} />
        Search
        <kbd aria-hidden="true">{isMac ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <Dialog title="Search" isOpen={isOpen} close={() => setOpen(false)}>
        <Finder close={() => setOpen(false)} />
      </Dialog>
    </>
  );
}
