import type { ReactNode } from "react";
import { Button } from "#app/components/ui/button.tsx";
import type { ButtonSize } from "#app/components/ui/button.tsx";

/**
 * Asks the bank once at a time. It stays under the keyboard while it does: a disabled button would
 * let go of it, and the answer comes beside it.
 */
export function RefreshPaymentButton({
  size = "md",
  isAsking,
  children,
}: {
  size?: ButtonSize;
  isAsking: boolean;
  children: ReactNode;
}) {
  return (
    <Button
      variant="outline"
      size={size}
      aria-disabled={isAsking}
      onClick={(event) => isAsking && event.preventDefault()}
    >
      {children}
    </Button>
  );
}
