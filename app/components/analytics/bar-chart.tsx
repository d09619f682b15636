import { lazy, Suspense, useId } from "react";
import { useHydrated } from "#app/components/shell/browser/use-hydrated.ts";
import type { DayRange } from "#app/domain/analytics/ranges/rules.ts";

/** Read by who points at a chart; never before the page is there. */
const ChartPointer = lazy(async () => ({
  default: (await import("./chart-pointer.tsx")).ChartPointer,
}));

type ChartBar = {
  /** What the bar stands for, such as `20/12`. */
  label: string;
  value: number;
  /** The same place of the period before; absent without one. */
  before?: number | undefined;
  /** The days of the bar, where bars may be chosen; absent in a chart that is not of days. */
  days?: DayRange;
};

type BarChartProps = {
  title: string;
  /** One sentence that says what the picture shows; the table below has the values. */
  description: string;
  bars: readonly ChartBar[];
  format: (value: number) => string;
  /** A shorter text of the highest value, for the scale. */
  scale?: (value: number) => string;
  /** The top of the scale; the next round number above the bars where left out. */
  most?: number;
};

const [WIDTH, HEIGHT, LABELS, TOP] = [720, 240, 32, 8];
/** A phone draws the picture at half its size. */
const TEXT = "fill-muted text-[1.5rem] sm:text-caption";
const GAP = 0.24;
const LABELS_SHOWN = 6;
const LINES = 4;

/**
 * Values over time as bars, and the period before as a line. Drawn on the server. Each bar has its
 * value as a tooltip, without JavaScript too. With it, the chart is read by touch and keyboard, and
 * days are chosen on it.
 */
export function BarChart(chart: BarChartProps) {
  const { title, bars, format } = chart;
  const isAwake = useHydrated();
  const isOfDays = bars.length > 1 && bars.every(({ days }) => days !== undefined);
  const sumOf = (first: number, last: number) =>
    format(bars.slice(first, last + 1).reduce((sum, { value }) => sum + value, 0));
  return (
    <div className="relative">
      <Picture {...chart} />
      {isAwake ? (
        <Suspense fallback={null}>
          <ChartPointer
            title={title}
            ratio={WIDTH / HEIGHT}
            points={bars.map((bar) => ({
              label: bar.label,
              text: barText(bar, format),
              days: bar.days,
            }))}
            sumOf={isOfDays ? sumOf : undefined}
          />
        </Suspense>
      ) : null}
    </div>
  );
}

const barText = ({ value, before }: ChartBar, format: (value: number) => string): string =>
  `${format(value)}${before === undefined ? "" : `, antes ${format(before)}`}`;

function Picture({ title, description, bars, format, scale = format, most: top }: BarChartProps) {
  const id = useId();
  const most =
    top ?? niceMaximum(Math.max(0, ...bars.flatMap(({ value, before = 0 }) => [value, before])));
  const least = Math.min(0, ...bars.map(({ value }) => value));
  const drawn = HEIGHT - LABELS - TOP;
  const toY = (value: number) => TOP + ((most - value) / (most - least)) * drawn;
  const step = WIDTH / Math.max(1, bars.length);
  const every = Math.max(1, Math.ceil(bars.length / LABELS_SHOWN));
  const before = bars.flatMap(({ before: value }, at) =>
    value === undefined ? [] : [`${(at + 0.5) * step},${toY(value)}`],
  );
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-labelledby={`${id}-title ${id}-text`}
      className="w-full"
    >
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-text`}>{description}</desc>
      {Array.from({ length: LINES }, (_, at) => (most / LINES) * (at + 1)).map((value) => (
        <line
          key={value}
          x1="0"
          x2={WIDTH}
          y1={toY(value)}
          y2={toY(value)}
          className="stroke-line"
        />
      ))}
      {bars.map((bar, at) => (
        <Bar key={at} {...{ bar, at, step, toY, format }} isLabelled={at % every === 0} />
      ))}
      {before.length > 1 ? (
        <polyline
          points={before.join(" ")}
          className="fill-none stroke-edge stroke-2"
          strokeDasharray="4 4"
        />
      ) : null}
      <line x1="0" x2={WIDTH} y1={toY(0)} y2={toY(0)} className="stroke-edge" />
      <text x="0" y={TOP + 20} className={TEXT}>
        {scale(most)}
      </text>
    </svg>
  );
}

type BarProps = {
  bar: ChartBar;
  at: number;
  step: number;
  toY: (value: number) => number;
  format: (value: number) => string;
  isLabelled: boolean;
};

/** A bar, the whole column of which shows its value under a pointer. */
function Bar({ bar, at, step, toY, format, isLabelled }: BarProps) {
  const { label, value } = bar;
  const width = step * (1 - GAP);
  return (
    <g className="group">
      <title>{`${label}: ${barText(bar, format)}`}</title>
      <rect x={at * step} width={step} height={HEIGHT - LABELS} className="fill-transparent" />
      <rect
        x={(at + GAP / 2) * step}
        y={Math.min(toY(value), toY(0))}
        width={width}
        height={Math.abs(toY(0) - toY(value))}
        rx={Math.min(4, width / 2)}
        className={value < 0 ? "fill-refusal" : "fill-signal group-hover:fill-signal-strong"}
      />
      {isLabelled ? (
        <text
          x={at === 0 ? 0 : (at + 0.5) * step}
          y={HEIGHT - 8}
          textAnchor={at === 0 ? "start" : "middle"}
          className={TEXT}
        >
          {label.split(" a ")[0]}
        </text>
      ) : null}
    </g>
  );
}

/** The next round number: 1, 2, 2.5 or 5 times a power of ten. At least 4, so that lines are whole. */
function niceMaximum(value: number): number {
  if (value <= LINES) return LINES;
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 2.5, 5, 10].find((one) => one * power >= value) ?? 10;
  return factor * power;
}
