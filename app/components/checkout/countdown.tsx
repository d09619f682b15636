import { Clock } from "lucide-react";
import { useEffect, useState } from "react";
import { countdownText } from "./countdown-text.ts";

/**
 * How long a code is still good, counted by the page's own clock from what the server said, so that
 * a wrong phone clock shows the right time. In milliseconds; `expiresAt` is when it ends, in epoch
 * milliseconds. `onEnd` is called once at zero.
 */
export function Countdown({
  leftMs,
  wholeMs,
  expiresAt,
  onEnd,
}: {
  leftMs: number;
  wholeMs: number;
  expiresAt: number;
  onEnd: () => void;
}) {
  const [left, setLeft] = useState(leftMs);
  const { lead, value } = countdownText({ leftMs: left, expiresAt });
  useEffect(() => {
    const endsAt = performance.now() + leftMs;
    const tick = setInterval(() => {
      const now = Math.max(0, endsAt - performance.now());
      setLeft(now);
      if (now > 0) return;
      clearInterval(tick);
      onEnd();
    }, 1_000);
    return () => clearInterval(tick);
  }, [leftMs, onEnd]);

  return (
    <div className="flex flex-col gap-2">
      {/* What changes every second is read by whoever goes there, and never said by itself, also inside a region that says its news. */}
      <p role="timer" aria-live="off" className="flex items-center gap-2 font-semibold">
        <Clock aria-hidden="true" className="size-5 shrink-0" />
        <span>
          {lead} <span className="tabular-nums">{value}</span>
        </span>
      </p>
      <div aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-sand">
        <div
          className="h-full origin-left rounded-full bg-signal transition-transform duration-1000 ease-linear"
          style={{ transform: `scaleX(${Math.min(1, left / wholeMs)})` }}
        />
      </div>
    </div>
  );
}
