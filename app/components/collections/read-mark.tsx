import { Check } from "lucide-react";
import { useEffect, useRef } from "react";
import { useFetcher } from "react-router";
import { useHydrated } from "#app/components/shell/browser/use-hydrated.ts";
import { Button } from "#app/components/ui/button.tsx";

type ReadMarkProps = { collectionId: string; postId: string; isRead: boolean; to: string };

/**
 * Read mark of a post, which the reader may change. Reaching its end marks it as read once, unless
 * the reader chose otherwise.
 */
export function ReadMark({ collectionId, postId, isRead, to }: ReadMarkProps) {
  const isAwake = useHydrated();
  const fetcher = useFetcher();
  const isBusy = fetcher.state !== "idle";
  const asked = fetcher.formData?.get("isRead");
  const shown = asked === undefined || asked === null ? isRead : asked === "true";
  const action = `/collection/${collectionId}/reading`;
  const end = useRef<HTMLDivElement>(null);
  const isSettled = useRef(isRead);
  const { submit } = fetcher;
  useEffect(() => {
    const element = end.current;
    if (!element || isSettled.current) return undefined;
    const watch = new IntersectionObserver(([seen]) => {
      if (!seen?.isIntersecting || isSettled.current) return;
      isSettled.current = true;
      void submit({ postId, isRead: "true", inPlace: "true" }, { method: "post", action });
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, [submit, postId, action]);
  return (
    <div ref={end} className="flex flex-wrap items-center gap-3">
      <fetcher.Form
        method="post"
        action={action}
        onSubmit={(event) => {
          isSettled.current = true;
          // One change at a time: two requests could arrive in either order.
          if (isBusy) event.preventDefault();
        }}
      >
        <input type="hidden" name="postId" value={postId} />
        <input type="hidden" name="isRead" value={String(!shown)} />
        <input type="hidden" name="to" value={to} />
        {isAwake ? <input type="hidden" name="inPlace" value="true" /> : null}
        <Button variant="outline" size="sm" aria-pressed={shown} aria-disabled={isBusy}>
          {shown ? <Check aria-hidden="true" className="size-4 text-leaf" /> : null}
          {shown ? "Lida" : "Marcar como lida"}
        </Button>
      </fetcher.Form>
    </div>
  );
}
