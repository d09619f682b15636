import { Check } from "lucide-react";
import { useFetcher } from "react-router";
import { toast } from "#app/components/ui/toasts/toast.ts";
import { Button } from "#app/components/ui/button.tsx";
import { LINK_MARK } from "#app/lib/link-mark.ts";
import { useRefusalToast } from "#app/components/ui/toasts/use-refusal-toast.ts";

type FollowButtonProps = {
  username: string;
  name: string;
  isFollowing: boolean;
  variant?: "primary" | "outline";
  size?: "sm" | "md";
  /** The creator's link that led here. */
  link?: string | null;
};

/**
 * Follow button. Updates at once, and reverts on a refusal. Without JavaScript the form returns to
 * the same page.
 */
export function FollowButton({
  username,
  name,
  isFollowing,
  variant = "primary",
  size = "md",
  link = null,
}: FollowButtonProps) {
  const fetcher = useFetcher<{ message?: string; following?: boolean }>();
  const asked = fetcher.formData?.get("following");
  // The answer also holds where the surrounding list is not reloaded.
  const following = asked ? asked === "true" : (fetcher.data?.following ?? isFollowing);
  const action = `/space/${username}/follow`;
  useRefusalToast(fetcher);
  return (
    <fetcher.Form
      method="post"
      action={action}
      onSubmit={(event) => {
        event.preventDefault();
        if (!navigator.onLine)
          return void toast.error("Você está sem internet. Tente de novo daqui a pouco.");
        void fetcher.submit(
          {
            following: String(!following),
            inPlace: "true",
            ...(link ? { [LINK_MARK]: link } : {}),
          },
          { method: "post", action },
        );
      }}
    >
      <input type="hidden" name="following" value={String(!following)} />
      {link ? <input type="hidden" name={LINK_MARK} value={link} /> : null}
      <Button
        variant={following ? "outline" : variant}
        size={size}
        aria-pressed={following}
        aria-label={following ? `Seguindo ${name}` : `Seguir ${name}`}
        className="w-full"
      >
        {following ? <Check aria-hidden="true" className="size-4 text-leaf" /> : null}
        {following ? "Seguindo" : "Seguir"}
      </Button>
    </fetcher.Form>
  );
}
