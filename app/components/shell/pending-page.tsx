import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { useLocation, useNavigation } from "react-router";
import { PostSkeleton, RowsSkeleton, Skeleton } from "#app/components/ui/skeleton.tsx";

/** Quicker than this, a skeleton is only a flicker. */
const PATIENCE_MS = 250;

/**
 * Where the person is going, once the wait is long enough to be felt; null while nothing is
 * awaited.
 */
function useAwaitedPath(): string | null {
  const { pathname } = useLocation();
  const { state, location, formMethod } = useNavigation();
  const awaited =
    state === "loading" && formMethod === undefined && location.pathname !== pathname
      ? location.pathname
      : null;
  const [felt, setFelt] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setFelt(awaited), awaited === null ? 0 : PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [awaited]);
  return felt === awaited ? awaited : null;
}

/** The page, or the shape of the one that is on its way. */
export function PendingPage({ children }: { children: ReactNode }) {
  const awaited = useAwaitedPath();
  if (awaited === null) return children;
  if (awaited === "/" || /^\/(post|space|collection|explore|me)(\/|$)/.test(awaited)) {
    return (
      <div className="flex flex-col gap-4">
        <PostSkeleton />
        <PostSkeleton />
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-5">
      <Skeleton className="h-8 w-48" />
      <RowsSkeleton />
    </div>
  );
}
