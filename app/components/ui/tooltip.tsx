import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";

/** No waiting: root.tsx puts this around every page that runs JavaScript. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Radix.Provider delayDuration={0}>{children}</Radix.Provider>;
}

/**
 * A short name for an icon. `children` is one element that can hold focus and has its own
 * accessible name.
 */
export function Tooltip({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 rounded-full bg-ink px-3 py-1.5 text-small font-medium text-paper shadow-float"
        >
          {label}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
