import { Clock } from "lucide-react";
import { useEffect, useState } from "react";

/**
 * How long a code is still good, counted by the page's own clock from what the server said, so that a wrong phone clock shows
 * the right time. Both in milliseconds. `onEnd` is called once at zero.
 */
export function Countdown({ leftMs, wholeMs, onEnd }: { leftMs: number; wholeMs: number; onEnd: () => void }) {
  const [left, setLeft] = useState(leftMs);
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
      <p className="flex items-center gap-2 font-semibold">
        <Clock aria-hidden="true" className="size-5 shrink-0" />
        <span>
          O código vale por mais <span className="tabular-nums">{minutesAndSeconds(left)}</span>
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

function minutesAndSeconds(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1_000);
  return `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
}
