import { useEffect, useState } from "react";
import type { ComponentType } from "react";
import type { ToastAreaProps } from "./toast-area.tsx";

/**
 * Loads the area of toasts once the page is alive, so that the first screen does not wait for it. A
 * toast meanwhile waits (toast.ts). Without a network it is loaded when there is one again.
 */
export function Toaster({ theme }: ToastAreaProps) {
  const [Area, setArea] = useState<ComponentType<ToastAreaProps> | null>(null);
  useEffect(() => {
    let isGone = false;
    const load = (): void => {
      import("./toast-area.tsx").then(
        ({ ToastArea }) => isGone || setArea(() => ToastArea),
        () => isGone || window.addEventListener("online", load, { once: true }),
      );
    };
    load();
    return () => {
      isGone = true;
      window.removeEventListener("online", load);
    };
  }, []);
  return Area ? <Area theme={theme} /> : null;
}
