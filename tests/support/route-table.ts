import type { RouteConfigEntry } from "@react-router/dev/routes";
import type { TableRoute } from "#app/http/routing/candidates.ts";
import routes from "#app/routes.ts";

/** Lists the routes of `app/routes.ts` with their ids, as a build does. */
export async function readRouteTable(): Promise<TableRoute[]> {
  return [{ id: "root", path: "" }, ...listed(await routes, "root")];
}

function listed(entries: readonly RouteConfigEntry[], parentId: string): TableRoute[] {
  return entries.flatMap(({ id, file, path, index, children = [] }) => {
    const route = { id: id ?? file.replace(/\.tsx?$/, ""), parentId, path, index };
    return [route, ...listed(children, route.id)];
  });
}

/** Returns a URL of every route that has one. */
export function urlsOf(table: readonly TableRoute[]): string[] {
  const fullPath = ({ parentId, path = "" }: TableRoute): string => {
    const parent = table.find(({ id }) => id === parentId);
    return `${parent ? fullPath(parent) : ""}${path && `/${path}`}`;
  };
  const paths = table.filter(({ path, index }) => path !== undefined || index).map(fullPath);
  const urls = paths.map((path) => path.replaceAll(/:\w+/g, "x1").replace("*", "a/b") || "/");
  return [...new Set(urls)];
}
