const BAR = 3;
const STEP = 5;
const HEIGHT = 32;
const LOWEST = 3;

/** A waveform, whose bars up to `progress` (0 to 1) are in the stronger colour. */
export function Waveform({ peaks, progress }: { peaks: readonly number[]; progress: number }) {
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${peaks.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-8 w-full"
    >
      {peaks.map((peak, at) => {
        const height = Math.max(LOWEST, (peak / 100) * HEIGHT);
        return (
          <rect
            // Bars have no other identity than their place.
            key={`${at}-${peak}`}
            x={at * STEP}
            y={(HEIGHT - height) / 2}
            width={BAR}
            height={height}
            rx={1.5}
            className={at / peaks.length < progress ? "fill-leaf" : "fill-edge"}
          />
        );
      })}
    </svg>
  );
}
