import { useEffect } from "react";
import { toast } from "sonner";
import { useHydrated } from "./use-hydrated.ts";

export type Flash = { kind: "success" | "error" | "info"; message: string };

/** What the last act left to say: a toast, or, while there is no JavaScript, a line on top of the page. */
export function FlashToast({ flash }: { flash: Flash | null }) {
  const hydrated = useHydrated();
  useEffect(() => {
    if (!flash) return;
    toast[flash.kind](flash.message, { id: flash.message });
  }, [flash]);
  if (!flash || hydrated) return null;
  return (
    <p role="status" className={`mb-4 rounded-field px-4 py-3 font-medium ${flash.kind === "error" ? "bg-refusal-soft text-refusal" : "bg-signal-soft text-ink"}`}>
      {flash.message}
    </p>
  );
}
