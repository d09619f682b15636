import { WifiOff } from "lucide-react";
import { useSyncExternalStore } from "react";

function subscribe(changed: () => void): () => void {
  window.addEventListener("online", changed);
  window.addEventListener("offline", changed);
  return () => {
    window.removeEventListener("online", changed);
    window.removeEventListener("offline", changed);
  };
}

/** True until the browser reports that there is no network. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
}

export function OfflineNotice() {
  const online = useOnline();
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-24 z-40 flex justify-center px-4 lg:bottom-6"
    >
      {online ? null : (
        <p className="flex animate-float-in items-center gap-2 rounded-full bg-ink px-4 py-2 text-small font-medium text-paper shadow-float">
          <WifiOff aria-hidden="true" className="size-4" />
          Você está sem internet. O que já abriu continua aqui.
        </p>
      )}
    </div>
  );
}
