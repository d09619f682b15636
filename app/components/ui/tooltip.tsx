import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";

/** Tooltips without delay: root.tsx wraps every page that runs JavaScript (spec, section 1). */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Radix.Provider delayDuration={0}>{children}</Radix.Provider>;
}
