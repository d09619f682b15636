import { useQuery } from "@tanstack/react-query";
import { MINUTE_MS } from "#app/domain/time.ts";
import { readShape } from "#app/lib/json-shape.ts";

const MOST_SHOWN = 99;

/** Number of unread notifications: first from the page's loader, then refreshed every minute. */
export function useUnread(fromPage: number): number {
  const { data } = useQuery({
    queryKey: ["notification-count", fromPage],
    queryFn: async ({ signal }) => {
      const answer = await fetch("/resources/notification-count", { signal });
      if (!answer.ok) throw new Error(`notification-count answered ${answer.status}`);
      return readShape(await answer.json(), { unread: "number" }).unread;
    },
    initialData: fromPage,
    staleTime: MINUTE_MS,
    refetchInterval: MINUTE_MS,
  });
  return data;
}

export function UnreadBadge({ unread, className = "" }: { unread: number; className?: string }) {
  if (unread === 0) return null;
  return (
    <span
      className={`inline-flex h-5 min-w-5 items-center justify-center rounded-full bg-signal px-1.5 text-caption font-bold text-on-signal ${className}`}
    >
      <span className="sr-only">não lidas: </span>
      {unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
    </span>
  );
}
