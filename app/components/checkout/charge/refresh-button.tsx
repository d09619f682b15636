import type { ReactNode } from "react";
import { Button } from "#app/components/ui/button.tsx";
import type { ButtonSize } from "#app/components/ui/button.tsx";

/**
 * Asks the bank, one request at a time. The button stays enabled meanwhile: a disabled button would
 * lose focus, and the answer shows beside it.
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
