import { Component } from 'react';
import type { ReactNode } from 'react';
import { Failure } from '../parts/states.tsx';

interface Props {
  readonly children: ReactNode;
}

/** Shows an error within a screen instead of it; the rest of the console continues to work. */
export class Boundary extends Component<Props, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error ? <Failure error={error} again={() => location.reload()} /> : this.props.children;
  }
}
