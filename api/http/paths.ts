interface Node<T> {
  readonly fixed: Map<string, Node<T>>;
  variable: { readonly name: string; readonly node: Node<T> } | null;
  route: Route<T> | null;
}

interface Route<T> {
  readonly template: string;
  readonly methods: Map<string, T>;
}

/** A route, with what its parameters are in a path. */
export interface Match<T> extends Route<T> {
  readonly params: Readonly<Record<string, string>>;
}

const node = <T>(): Node<T> => ({ fixed: new Map(), variable: null, route: null });

/** Decodes a segment, or returns an empty text, which fails every pattern. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}

/**
 * Finds what serves a path: exact, case-sensitive, fixed segments before variable ones (OpenAPI 3.1 "concrete before templated").
 * A table of our own, since the answer to "which methods has this path" is needed before anything else is checked.
 */
export class PathTable<T> {
  private readonly root = node<T>();

  /** Adds a route; `template` is in OpenAPI form. Throws when the method is taken. */
  add(method: string, template: string, value: T): void {
    let at = this.root;
    for (const segment of template.split('/').slice(1)) at = this.child(at, segment);
    at.route ??= { template, methods: new Map() };
    if (at.route.methods.has(method)) throw new Error(`${method} ${template} is declared twice`);
    at.route.methods.set(method, value);
  }

  find(path: string): Match<T> | null {
    return this.walk(this.root, path.split('/', 16), 1, {});
  }

  private child(parent: Node<T>, segment: string): Node<T> {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined) {
      const known = parent.fixed.get(segment) ?? node<T>();
      parent.fixed.set(segment, known);
      return known;
    }
    parent.variable ??= { name, node: node<T>() };
    if (parent.variable.name !== name) throw new Error(`One place has two names: ${name}, ${parent.variable.name}`);
    return parent.variable.node;
  }

  private walk(at: Node<T>, segments: readonly string[], depth: number, params: Readonly<Record<string, string>>): Match<T> | null {
    const segment = segments[depth];
    if (segment === undefined) return at.route && { ...at.route, params };
    const fixed = at.fixed.get(segment);
    const found = fixed ? this.walk(fixed, segments, depth + 1, params) : null;
    if (found || !at.variable || segment === '') return found;
    return this.walk(at.variable.node, segments, depth + 1, { ...params, [at.variable.name]: decode(segment) });
  }
}
