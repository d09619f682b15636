import { useEffect } from "react";
import { MEASUREMENT_COOKIE, MEASUREMENT_REFUSED } from "#app/lib/measurement.ts";

const TICK_MS = 1_000;
/** Who did nothing for so long does not read. */
const IDLE_MS = 30_000;
const SIGNS = ["scroll", "pointermove", "keydown", "touchstart"] as const;

/**
 * Says once, as a post is left, for how many seconds it was in sight of somebody who did something.
 * Says nothing of a post that is closed to the person (null), or where the browser or the person
 * refuses to be counted.
 */
export function useReadingTime(postId: string | null): void {
  useEffect(() => {
    if (postId === null || refuses()) return;
    let seconds = 0;
    let lastSign = performance.now();
    const sign = () => void (lastSign = performance.now());
    for (const name of SIGNS) addEventListener(name, sign, { passive: true });
    const clock = setInterval(() => {
      const isActive = performance.now() - lastSign < IDLE_MS;
      if (document.visibilityState === "visible" && isActive) seconds += 1;
    }, TICK_MS);
    const report = () => {
      const fields = { post: postId, seconds: String(seconds) };
      if (seconds > 0) navigator.sendBeacon("/resources/reads", new URLSearchParams(fields));
      seconds = 0;
    };
    addEventListener("pagehide", report);
    return () => {
      clearInterval(clock);
      for (const name of SIGNS) removeEventListener(name, sign);
      removeEventListener("pagehide", report);
      report();
    };
  }, [postId]);
}

/** Do Not Track, Global Privacy Control, or a no on our own page of cookies. */
function refuses(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & {
    globalPrivacyControl?: boolean;
  };
  const refused = `${MEASUREMENT_COOKIE}=${MEASUREMENT_REFUSED}`;
  return (
    doNotTrack === "1" ||
    globalPrivacyControl === true ||
    document.cookie.split("; ").includes(refused)
  );
}
