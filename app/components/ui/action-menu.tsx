import { Ellipsis } from "lucide-react";
import { useEffect, useRef } from "react";
import type { ReactNode } from "react";

export const ACTION_MENU_ITEM =
  "flex min-h-11 w-full items-center px-4 text-left font-medium hover:bg-sand";

/** Menu that opens without JavaScript too. With it, Escape and an outside click close it. */
export function ActionMenu({
  label,
  isOutlined = false,
  side,
  opensUp = false,
  children,
}: {
  label: string;
  /** Has a border, beside other buttons. */
  isOutlined?: boolean;
  /** Opens below the positioned element around it, at this side, and not below its own button. */
  side?: "left" | "right";
  /** Opens above, where what is below is cut off. */
  opensUp?: boolean;
  children: ReactNode;
}) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      const menu = details.current;
      if (!menu?.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== "Escape") return;
        menu.querySelector("summary")?.focus();
      } else if (
        event.target instanceof Node &&
        menu.querySelector("summary")?.contains(event.target)
      )
        return;
      // What was pressed is hidden now: by keyboard one goes on from the menu.
      else if (menu.contains(document.activeElement)) menu.querySelector("summary")?.focus();
      menu.open = false;
    };
    document.addEventListener("keydown", close);
    document.addEventListener("click", close);
    return () => {
      document.removeEventListener("keydown", close);
      document.removeEventListener("click", close);
    };
  }, []);
  return (
    <details
      ref={details}
      className={side ? "" : "relative ml-auto"}
      onToggle={({ currentTarget: { open, lastElementChild } }) => {
        // In a short list that scrolls, its upper rows would be cut off.
        if (open && opensUp) lastElementChild?.scrollIntoView({ block: "nearest" });
      }}
    >
      <summary
        aria-label={label}
        className={`inline-flex size-11 cursor-pointer list-none items-center justify-center rounded-full [&::-webkit-details-marker]:hidden ${isOutlined ? "border border-line bg-card hover:border-edge" : "text-muted hover:bg-sand hover:text-ink"}`}
      >
        <Ellipsis aria-hidden="true" className="size-5" />
      </summary>
      <div
        className={`absolute ${opensUp ? "bottom-full" : "top-full"} z-20 w-56 ${side === "left" ? "left-0" : "right-0"} overflow-hidden rounded-field border border-line bg-card py-1 shadow-float`}
      >
        {children}
      </div>
    </details>
  );
}
