import type { CSSProperties } from "react";
import { useEffect } from "react";
import { toast, Toaster as Sonner } from "sonner";
import { openToasts } from "./toast.ts";

export type ToastAreaProps = { theme: "light" | "dark" | "system" };

/**
 * Toast area, with every constant of the spec (section 9). On a phone it stays above the bottom
 * bar. Hover, focus and interaction pause its timers.
 */
export function ToastArea({ theme }: ToastAreaProps) {
  // Runs after the effects of the area itself, which would not see an earlier toast.
  useEffect(() => openToasts((kind, message, options) => void toast[kind](message, options)), []);
  return (
    <Sonner
      theme={theme}
      position="bottom-right"
      visibleToasts={3}
      duration={4000}
      gap={14}
      offset={24}
      mobileOffset={{ bottom: "calc(16px + var(--phone-bar, 0px))", left: 16, right: 16 }}
      hotkey={["altKey", "KeyT"]}
      containerAriaLabel="Avisos"
      style={{ "--width": "356px", fontFamily: "var(--font-text)" } as CSSProperties}
      toastOptions={{
        closeButtonAriaLabel: "Fechar aviso",
        style: {
          background: "var(--card)",
          color: "var(--ink)",
          borderColor: "var(--line)",
          borderRadius: "12px",
          fontSize: "0.875rem",
        },
      }}
    />
  );
}
