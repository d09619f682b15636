import type { CSSProperties } from "react";
import { Toaster as Sonner } from "sonner";

/**
 * Toast area, with every constant of the spec (section 9). On a phone it stays above the bottom
 * bar. Hover, focus and interaction pause its timers.
 */
export function Toaster({ theme }: { theme: "light" | "dark" | "system" }) {
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
