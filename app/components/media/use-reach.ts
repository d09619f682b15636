import { useEffect, useRef } from "react";
import type { RefObject } from "react";

const STEPS = 20;

/**
 * Says once, as the page is left, how far a file was played: the furthest twentieth. Without the
 * time or the person.
 */
export function useReach(mediaId: string, isCounted: RefObject<boolean>) {
  const furthest = useRef(0);
  useEffect(() => {
    const report = () => {
      if (!isCounted.current) return;
      isCounted.current = false;
      const fields = { media: mediaId, reach: String(furthest.current) };
      navigator.sendBeacon("/resources/plays", new URLSearchParams(fields));
    };
    addEventListener("pagehide", report);
    return () => {
      removeEventListener("pagehide", report);
      report();
    };
  }, [mediaId, isCounted]);
  return useRef({
    move(player: HTMLMediaElement | null) {
      if (player && player.duration > 0)
        furthest.current = Math.max(
          furthest.current,
          Math.floor((player.currentTime / player.duration) * STEPS),
        );
    },
  });
}
