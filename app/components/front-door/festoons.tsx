import { FLAG_HEX, flagPath } from "#app/lib/bandeirinhas-pattern.ts";
import { festoon } from "#app/lib/festoon.ts";

type FestoonProps = Parameters<typeof festoon>[0] & { size: number };

const FLAG_WIDTH = 34;

/** One string of flags inside a drawing. `size` scales its flags. */
export function FestoonShape({ size, ...hung }: FestoonProps) {
  const { path, flags } = festoon(hung);
  return (
    <g>
      <path d={path} fill="none" stroke="var(--string)" strokeWidth={1.5} />
      {flags.map(({ x, y, angle, colour }) => (
        <path
          key={x}
          d={flagPath({ x: -FLAG_WIDTH / 2, y: 0 })}
          fill={FLAG_HEX[colour]}
          transform={`translate(${x} ${y}) rotate(${angle}) scale(${size})`}
        />
      ))}
    </g>
  );
}
