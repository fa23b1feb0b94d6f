import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';

/** Returns a function that reads again whatever is stored under a query key. */
export function useChanged(...queryKey: readonly string[]): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey });
}

/** Returns a function that shows what a change has answered. A reading that began before the change is dropped: it would show what was. */
export function useAnswered(queryKey: readonly string[]): (answer: unknown) => void {
  const queries = useQueryClient();
  return (answer) => void queries.cancelQueries({ queryKey, exact: true }).then(() => queries.setQueryData(queryKey, answer));
}

/** Returns a function that reads a list again and opens one of it, such as a copy; the list itself without an id. */
export function useOpened(list: string): (id?: string) => void {
  const changed = useChanged(list);
  const navigate = useNavigate();
  return (id) => {
    changed();
    void navigate(id === undefined ? `/${list}` : `/${list}/${id}`);
  };
}

/** Returns a function for the page of something that was deleted: it reads the list again and opens it. */
export function useDeleted(list: string): () => void {
  const opened = useOpened(list);
  return () => opened();
}
