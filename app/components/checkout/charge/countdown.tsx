import { Clock } from "lucide-react";
import { useEffect, useState } from "react";
import { countdownText } from "./countdown-text.ts";

/**
 * Countdown of a Pix code. It counts from the server's remaining time, so a wrong clock does not
 * matter. Times are in milliseconds; `expiresAt` is the end, in epoch milliseconds. Calls `onEnd`
 * once at zero.
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
      {/* The text changes every second. Screen readers read it on request, but never announce
         it, even inside a live region. */}
      <p role="timer" aria-live="off" className="flex items-center gap-2 font-semibold">
        <Clock aria-hidden="true" className="size-5 shrink-0" />
        <span>
          {lead} <span className="tabular-nums">{value}</span>
        </span>
      </p>
      <svg aria-hidden="true" className="h-1.5 w-full overflow-hidden rounded-full bg-sand">
        <rect
          width={`${Math.min(100, (left / wholeMs) * 100)}%`}
          height="100%"
          rx="3"
          className="fill-signal"
        />
      </svg>
    </div>
  );
}
