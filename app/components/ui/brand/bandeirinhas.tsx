import { bandeirinhas, FLAG_HEX, flagPath } from "#app/lib/bandeirinhas-pattern.ts";
import type { FlagColour, FlagPattern } from "#app/lib/bandeirinhas-pattern.ts";

/** The flags from this column on light together; `app.css` has the delay of each column. */
const LAST_LIGHT = 6;

type BandeirinhasProps = {
  seed: string;
  columns?: number;
  rows?: number;
  className?: string;
  /** Lights the flags from left to right, once, for a successful payment. */
  lit?: boolean;
};

/**
 * Decorative flags drawn from a seed. They fill their box and are cut off at its edges, as a banner
 * is.
 */
export function Bandeirinhas({
  seed,
  columns = 20,
  rows = 4,
  className = "",
  lit = false,
}: BandeirinhasProps) {
  const { width, height, strings, flags } = bandeirinhas({ seed, columns, rows });
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMinYMin slice"
      className={`block bg-cloth ${lit ? "bandeirinhas-lit" : ""} ${className}`}
    >
      <path
        d={strings.map((y) => `M0 ${y + 0.5}H${width}`).join("")}
        stroke="var(--string)"
        strokeWidth={1}
      />
      {lit
        ? flags.map((flag) => (
            <path
              key={`${flag.row}-${flag.column}`}
              className="bandeirinha"
              d={flagPath(flag)}
              fill={FLAG_HEX[flag.colour]}
              data-light={Math.min(flag.column, LAST_LIGHT)}
            />
          ))
        : pathsByColour(flags).map(([colour, path]) => (
            <path key={colour} d={path} fill={FLAG_HEX[colour]} />
          ))}
    </svg>
  );
}

/** One path for all flags of a colour: a page of drawings has a tenth of the elements. */
function pathsByColour(flags: FlagPattern["flags"]): [FlagColour, string][] {
  const paths = new Map<FlagColour, string>();
  for (const flag of flags) paths.set(flag.colour, (paths.get(flag.colour) ?? "") + flagPath(flag));
  return [...paths];
}
