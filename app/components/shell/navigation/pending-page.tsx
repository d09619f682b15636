import type { ReactNode } from "react";
import { useLocation, useNavigation } from "react-router";
import { Loading, Skeleton } from "#app/components/ui/skeleton.tsx";
import type { LoadingShape } from "#app/components/ui/skeleton.tsx";
import { useSlow } from "#app/components/ui/use-slow.ts";

/**
 * A navigation that takes noticeably long; null otherwise. `isSamePage`: other results on the page
 * that is shown, such as another period or a search.
 */
export type Pending = { path: string; isSamePage: boolean };

export function usePending(): Pending | null {
  const { pathname, search } = useLocation();
  const { state, location, formMethod } = useNavigation();
  const awaited =
    state === "loading" && (formMethod === undefined || formMethod === "GET") ? location : null;
  const isOther = awaited !== null && (awaited.pathname !== pathname || awaited.search !== search);
  const isSlow = useSlow(isOther);
  return isSlow && awaited
    ? { path: awaited.pathname, isSamePage: awaited.pathname === pathname }
    : null;
}

/** The page, or the shape of the next one while it loads. */
export function PendingPage({
  pending,
  children,
}: {
  pending: Pending | null;
  children: ReactNode;
}) {
  if (pending === null || pending.isSamePage) return children;
  const shape = shapeOf(pending.path);
  if (shape === "post") return <Loading shape="post" count={2} />;
  return (
    <div className="flex flex-col gap-5">
      <Skeleton className="h-8 w-48" />
      <Loading shape={shape} />
    </div>
  );
}

/** Chooses the placeholder for the page at a path. */
export function shapeOf(path: string): LoadingShape {
  if (path === "/" || /^\/(post|space|collection|explore|me)(\/|$)/.test(path)) return "post";
  return /^\/analytics(\/|$)/.test(path) ? "figures" : "rows";
}
