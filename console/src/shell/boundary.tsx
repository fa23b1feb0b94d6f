import { Component } from 'react';
import type { ReactNode } from 'react';
import { Failure } from '../parts/states.tsx';

interface Props {
  readonly children: ReactNode;
}

/** Shows what went wrong within a screen in its place; the rest of the console goes on. */
export class Boundary extends Component<Props, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    // A part of the console that is not there any more: it was built anew since the page was loaded.
    return error ? <Failure error={error} again={() => location.reload()} /> : this.props.children;
  }
}
