import { useEffect, useState } from "react";

const COPIED_MS = 2_500;

export type Copied = "no" | "yes" | "failed";

/** Copies a text and reports success for a moment. A failure shows until the next try. */
export function useCopied(): { copied: Copied; copy: (text: string) => Promise<void> } {
  const [copied, setCopied] = useState<Copied>("no");
  useEffect(() => {
    if (copied !== "yes") return;
    const back = setTimeout(() => setCopied("no"), COPIED_MS);
    return () => clearTimeout(back);
  }, [copied]);
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied("yes");
    } catch {
      setCopied("failed");
    }
  };
  return { copied, copy };
}
