import { nounFor } from "#app/domain/text.ts";
import { Heart } from "lucide-react";
import { useFetcher } from "react-router";
import { toast } from "#app/components/ui/toasts/toast.ts";
import { useRefusalToast } from "#app/components/ui/toasts/use-refusal-toast.ts";

const COUNT = new Intl.NumberFormat("pt-BR");

type LikeButtonProps = { action: string; isLiked: boolean; likesCount: number; canLike: boolean };

/**
 * Like button. Updates at once, and reverts on a refusal. Without JavaScript the form returns to
 * the same page.
 */
export function LikeButton({ action, isLiked, likesCount, canLike }: LikeButtonProps) {
  const fetcher = useFetcher<{ message?: string; liked?: boolean }>();
  const asked = fetcher.formData?.get("liked");
  // The answer also holds where the surrounding list is not reloaded.
  const liked = asked ? asked === "true" : (fetcher.data?.liked ?? isLiked);
  const count = likesCount + (liked === isLiked ? 0 : liked ? 1 : -1);
  useRefusalToast(fetcher);
  if (!canLike) return <Liked liked={false} count={count} />;
  return (
    <fetcher.Form
      method="post"
      action={action}
      onSubmit={(event) => {
        event.preventDefault();
        if (!navigator.onLine)
          return void toast.error("Você está sem internet. A curtida não foi salva.");
        void fetcher.submit({ liked: String(!liked), inPlace: "true" }, { method: "post", action });
      }}
    >
      <input type="hidden" name="liked" value={String(!liked)} />
      <button
        type="submit"
        aria-pressed={liked}
        className={`-ml-2 inline-flex min-h-11 items-center gap-2 rounded-full px-2.5 font-semibold hover:bg-sand ${liked ? "text-liked" : "text-muted"}`}
      >
        <Heart
          aria-hidden="true"
          className={`size-5 transition-transform duration-150 ${liked ? "scale-110 fill-current" : ""}`}
        />
        <span className="sr-only">{liked ? "Curtido" : "Curtir"}</span>
        <span className="tabular-nums">{COUNT.format(count)}</span>
      </button>
    </fetcher.Form>
  );
}

/** Like count without a button: of a locked post, or for a visitor. */
export function Liked({ liked, count }: { liked: boolean; count: number }) {
  return (
    <span
      className={`inline-flex min-h-11 items-center gap-2 px-0.5 font-semibold ${liked ? "text-liked" : "text-muted"}`}
    >
      <Heart aria-hidden="true" className="size-5" />
      <span className="tabular-nums">{COUNT.format(count)}</span>
      <span className="sr-only">{nounFor(count, "curtida", "curtidas")}</span>
    </span>
  );
}
