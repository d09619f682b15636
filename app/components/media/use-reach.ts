import { useEffect, useRef } from "react";
import type { RefObject } from "react";
import { playedStep } from "./played-step.ts";

/**
 * Says once, as the page is left, how much of a file was played, in twentieths. Without the time or
 * the person.
 */
export function useReach(mediaId: string, isCounted: RefObject<boolean>) {
  const most = useRef(0);
  useEffect(() => {
    const report = () => {
      if (!isCounted.current) return;
      isCounted.current = false;
      const fields = { media: mediaId, reach: String(most.current) };
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
      if (player) most.current = Math.max(most.current, playedStep(player.played, player.duration));
    },
  });
}
