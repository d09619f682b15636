import { lazy, Suspense, useId } from "react";
import { useHydrated } from "#app/components/shell/browser/use-hydrated.ts";
import { formatMoney } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";

const ChartPointer = lazy(async () => ({
  default: (await import("./chart-pointer.tsx")).ChartPointer,
}));

export type ChartMonth = {
  shortName: string;
  endCents: Cents;
  /** What came in the month, and what went; both at least zero. */
  cameCents: Cents;
  wentCents: Cents;
};

const [WIDTH, HEIGHT, LABELS] = [720, 220, 24];
const GAP = 0.28;

/**
 * The recurring revenue at the end of each month, and below the line what came and went in it.
 * Drawn on the server; the table beside it has the amounts.
 */
export function RecurringChart({ months }: { months: ChartMonth[] }) {
  const isAwake = useHydrated();
  return (
    <div className="relative">
      <Picture months={months} />
      {isAwake ? (
        <Suspense fallback={null}>
          <ChartPointer
            title="Receita recorrente por mês"
            ratio={WIDTH / HEIGHT}
            points={months.map(({ shortName, endCents, cameCents, wentCents }) => ({
              label: shortName,
              text: `${formatMoney(endCents)} no fim; entraram ${formatMoney(cameCents)}, saíram ${formatMoney(wentCents)}`,
            }))}
          />
        </Suspense>
      ) : null}
    </div>
  );
}

function Picture({ months }: { months: ChartMonth[] }) {
  const id = useId();
  const highest = Math.max(1, ...months.map(({ endCents }) => endCents));
  const lowest = Math.max(0, ...months.map(({ wentCents }) => wentCents));
  const drawn = HEIGHT - LABELS;
  const toY = (cents: Cents) => ((highest - cents) / (highest + lowest)) * drawn;
  const step = WIDTH / months.length;
  const last = months.at(-1);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-labelledby={`${id}-title ${id}-text`}
      className="w-full"
    >
      <title id={`${id}-title`}>Receita recorrente por mês</title>
      <desc id={`${id}-text`}>
        {`No fim do último mês, ${formatMoney(last?.endCents ?? 0)}. Os valores de cada mês estão na tabela abaixo.`}
      </desc>
      {months.map(({ shortName, endCents, cameCents, wentCents }, index) => {
        const box = { x: (index + GAP / 2) * step, width: step * (1 - GAP) };
        return (
          <g key={index}>
            <rect
              {...box}
              y={toY(endCents)}
              height={toY(0) - toY(endCents)}
              rx="4"
              className="fill-signal-soft"
            />
            <rect
              {...box}
              y={toY(endCents)}
              height={toY(endCents - Math.min(cameCents, endCents)) - toY(endCents)}
              rx="4"
              className="fill-signal"
            />
            <rect
              {...box}
              y={toY(0)}
              height={toY(-wentCents) - toY(0)}
              rx="4"
              className="fill-refusal"
            />
            <text
              x={box.x + box.width / 2}
              y={HEIGHT - 6}
              textAnchor="middle"
              className="fill-muted text-[13px]"
            >
              {shortName}
            </text>
          </g>
        );
      })}
      <line x1="0" x2={WIDTH} y1={toY(0)} y2={toY(0)} className="stroke-edge" />
    </svg>
  );
}
