import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { useLocation, useNavigation } from "react-router";
import { PostSkeleton, RowsSkeleton, Skeleton } from "#app/components/ui/skeleton.tsx";

/** Delay before a skeleton shows: a shorter wait would only flicker. */
const PATIENCE_MS = 250;

/** Path of a pending navigation, once it takes noticeably long; null otherwise. */
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

/** The page, or a skeleton of the next one while it loads. */
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
