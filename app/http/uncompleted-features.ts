import { data } from "react-router";
import type { MiddlewareFunction } from "react-router";
import { isHiddenPath } from "#app/lib/uncompleted-features.ts";
import { domainContext } from "./contexts.ts";

/** A 404 for pages and actions of features that are hidden. Runs after `pathnameMiddleware`. */
export const uncompletedFeaturesMiddleware: MiddlewareFunction<Response> = ({ url, context }) => {
  if (isHiddenPath(url.pathname, context.get(domainContext).settings))
    throw data(null, { status: 404 });
};
