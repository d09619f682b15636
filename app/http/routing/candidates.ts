/** A route of the build or of its manifest, as far as matching needs it. */
export type TableRoute = { id: string; parentId?: string; path?: string; index?: boolean };

/** The routes below one segment of a path. `:id` and the like are one branch, whatever their name. */
type SegmentNode = {
  literals: Map<string, SegmentNode>;
  parameter: SegmentNode | undefined;
  /** Routes whose path ends here, each with its layouts. */
  ends: string[][];
  /** Routes that go on with `*` from here, each with its layouts. */
  splats: string[][];
};

/** Returns the ids of the routes that a path can match, with their layouts. */
export type RouteCandidates = (pathname: string) => ReadonlySet<string>;

/**
 * Builds the search for the routes that a path, or a path above it, can match. React Router ranks
 * and matches only these. The paths above belong to them because the first page tells the browser
 * their routes too. One step per segment finds them, however many routes there are. Routes whose
 * path is hidden are never found.
 */
export function routeCandidates(
  routes: readonly TableRoute[],
  isHidden: (path: string) => boolean = () => false,
): RouteCandidates {
  const root = emptyNode();
  const byId = new Map(routes.map((route) => [route.id, route]));
  for (const route of routes) {
    if (route.path === undefined && !route.index) continue;
    const chain = chainOf(route, byId);
    const path = pathOf(chain);
    if (isHidden(path)) continue;
    insert(
      root,
      segmentsOf(path),
      chain.map(({ id }) => id),
    );
  }
  return (pathname) => {
    const found = new Set<string>();
    let reached = [root];
    collect(reached, found);
    // A path of a manifest request may have a query.
    const [path = ""] = pathname.split(/[?#]/, 1);
    for (const segment of segmentsOf(path).map(decoded)) {
      reached = reached.flatMap(({ literals, parameter }) =>
        [literals.get(segment), parameter].filter((node) => node !== undefined),
      );
      collect(reached, found);
    }
    return found;
  };
}

const emptyNode = (): SegmentNode => ({
  literals: new Map(),
  parameter: undefined,
  ends: [],
  splats: [],
});

/** The route with its layouts, from the outermost. */
function chainOf(route: TableRoute, byId: ReadonlyMap<string, TableRoute>): TableRoute[] {
  const parent = route.parentId === undefined ? undefined : byId.get(route.parentId);
  return parent ? [...chainOf(parent, byId), route] : [route];
}

/** The whole path of a route. A path that starts with `/` names its layouts' paths too. */
function pathOf(chain: readonly TableRoute[]): string {
  return chain.reduce(
    (above, { path = "" }) => (path.startsWith("/") ? path : `${above}/${path}`),
    "",
  );
}

/** React Router ignores case and a slash at the end. */
const segmentsOf = (path: string): string[] =>
  path
    .toLowerCase()
    .split("/")
    .filter((segment) => segment !== "");

function insert(node: SegmentNode, segments: readonly string[], chain: string[]): void {
  const [segment, ...rest] = segments;
  if (segment === undefined) return void node.ends.push(chain);
  if (segment === "*") return void node.splats.push(chain);
  const isOptional = segment.endsWith("?");
  if (isOptional) insert(node, rest, chain);
  insert(below(node, isOptional ? segment.slice(0, -1) : segment), rest, chain);
}

function below(node: SegmentNode, segment: string): SegmentNode {
  if (segment.startsWith(":")) return (node.parameter ??= emptyNode());
  const child = node.literals.get(segment) ?? emptyNode();
  node.literals.set(segment, child);
  return child;
}

function collect(nodes: readonly SegmentNode[], found: Set<string>): void {
  for (const { ends, splats } of nodes)
    for (const chain of [...ends, ...splats]) for (const id of chain) found.add(id);
}

/** A segment that is not encoded properly matches parameters only, as with React Router. */
function decoded(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment).toLowerCase();
  } catch {
    return segment;
  }
}
