import { useEffect, useState } from "react";

/** A shorter wait needs no placeholder: it would only flicker. */
const PATIENCE_MS = 250;

/** Whether a wait takes noticeably long: `isWaiting` for a quarter of a second without a break. */
export function useSlow(isWaiting: boolean): boolean {
  const [isFelt, setIsFelt] = useState(false);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setIsFelt(true), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setIsFelt(false);
    };
  }, [isWaiting]);
  return isWaiting && isFelt;
}
