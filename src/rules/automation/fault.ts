export interface GraphFault {
  readonly path: string;
  readonly code: 'invalid_graph';
  readonly message: string;
}

export const fault = (path: string, message: string): GraphFault => ({ path, code: 'invalid_graph', message });
