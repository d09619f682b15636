import { Button } from "#app/components/ui/button.tsx";
import type { ButtonVariant } from "#app/components/ui/button.tsx";

/**
 * "Seguir" where nobody is known: a plain form, which leads to sign-up and from there back to `to`,
 * followed. Who is signed in already follows at once.
 */
export function FollowForm({
  username,
  to = `/space/${username}`,
  label = "Seguir",
  variant = "primary",
  className = "",
}: {
  username: string;
  to?: string;
  label?: string;
  variant?: ButtonVariant;
  className?: string;
}) {
  return (
    <form method="post" action={`/auth/follow/${username}`}>
      <input type="hidden" name="to" value={to} />
      <Button variant={variant} className={className}>
        {label}
      </Button>
    </form>
  );
}
