import { useEffect } from "react";

/**
 * Registers the service worker (public/service-worker.js) for who has installed the app, and for
 * nobody else.
 */
export function useInstalledApp(): void {
  useEffect(() => {
    if (!("serviceWorker" in navigator)) return;
    const register = () => {
      navigator.serviceWorker.register("/service-worker.js").catch(() => undefined);
    };
    if (matchMedia("(display-mode: standalone)").matches) register();
    addEventListener("appinstalled", register);
    return () => removeEventListener("appinstalled", register);
  }, []);
}
