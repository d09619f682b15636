import { useId, useRef, useState } from "react";
import type { ComponentProps, KeyboardEvent, PointerEvent } from "react";
import { Link, useNavigate } from "react-router";
import type { DayRange } from "#app/domain/analytics/ranges/rules.ts";
import { barAt, chosenBars, movedByKey } from "./chart-brush.ts";
import type { Brush } from "./chart-brush.ts";
import { daysText } from "./format.ts";
import { ownRangeQuery } from "./range-picker.tsx";

type ChartPoint = {
  label: string;
  /** The value as text, with that of the period before. */
  text: string;
  /** The days of the bar; absent where a chart is not of days. */
  days?: DayRange | undefined;
};

type ChartPointerProps = {
  title: string;
  points: readonly ChartPoint[];
  /** Width by height of the picture that it lies over. */
  ratio: number;
  /** The sum of some bars as text; without it they cannot be chosen. */
  sumOf?: ((first: number, last: number) => string) | undefined;
};

/**
 * Reads a chart that the server drew, by pointer, touch and keyboard: the value of the bar under
 * it, and the sum of the bars that are chosen, with a link to their days alone.
 */
export function ChartPointer({ title, points, ratio, sumOf }: ChartPointerProps) {
  const id = useId();
  const navigate = useNavigate();
  const [typed, setBrush] = useState<Brush>({ at: points.length - 1, from: null });
  const [isShown, setIsShown] = useState(false);
  const brush = { ...typed, at: Math.min(typed.at, points.length - 1) };
  const read = readAt(points, brush, sumOf);
  const scope = { count: points.length, chooses: sumOf !== undefined };
  const pointer = usePointer(scope, (moved) => {
    setIsShown(true);
    setBrush(moved);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && read.query)
      return void navigate(read.query, { preventScrollReset: true });
    const moved = movedByKey(brush, event, scope);
    if (!moved) return;
    event.preventDefault();
    setIsShown(true);
    setBrush(moved);
  };
  return (
    <div className="print:hidden">
      <div
        role="slider"
        tabIndex={0}
        aria-label={`Percorrer o gráfico: ${title}`}
        aria-describedby={`${id}-keys`}
        aria-valuemin={1}
        aria-valuemax={points.length}
        aria-valuenow={brush.at + 1}
        aria-valuetext={read.text}
        className="absolute inset-x-0 top-0 touch-pan-y rounded-field"
        style={{ aspectRatio: ratio }}
        onKeyDown={onKeyDown}
        onFocus={() => setIsShown(true)}
        onBlur={() => setIsShown(false)}
        onPointerLeave={(event) => {
          if (event.pointerType === "mouse" && document.activeElement !== event.currentTarget)
            setIsShown(false);
        }}
        {...pointer}
      >
        {isShown || read.query ? <Tip {...read} count={points.length} /> : null}
      </div>
      <p id={`${id}-keys`} className="sr-only">
        {scope.chooses
          ? "As setas andam pelo gráfico. Com Shift, escolhem dias; Enter mostra só eles, e Esc desiste."
          : "As setas andam pelo gráfico."}
      </p>
      {read.query ? (
        <Choice
          text={read.text}
          query={read.query}
          onUndo={() => setBrush({ at: brush.at, from: null })}
        />
      ) : null}
    </div>
  );
}

type Reading = {
  first: number;
  last: number;
  text: string;
  /** The query of the chosen days; null while none are chosen. */
  query: string | null;
};

/** What a chart says where its reader is. */
function readAt(
  points: readonly ChartPoint[],
  brush: Brush,
  sumOf: ChartPointerProps["sumOf"],
): Reading {
  const { first, last } = chosenBars(brush) ?? { first: brush.at, last: brush.at };
  const [from, until] = [points[first]?.days?.from, points[last]?.days?.until];
  if (brush.from !== null && sumOf && from !== undefined && until !== undefined) {
    const days = { from, until };
    return {
      first,
      last,
      text: `${daysText(days)}: ${sumOf(first, last)}`,
      query: ownRangeQuery(days),
    };
  }
  const point = points[brush.at];
  const text = point ? `${point.label}: ${point.text}` : "";
  return { first: brush.at, last: brush.at, text, query: null };
}

/** Moves by pointer and touch: over bars, and with a button or a finger down over those to choose. */
function usePointer(
  { count, chooses }: { count: number; chooses: boolean },
  onMove: (moved: (now: Brush) => Brush) => void,
): ComponentProps<"div"> {
  const isDragging = useRef(false);
  const under = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return barAt(event.clientX - box.left, box.width, count);
  };
  const ends = () => void (isDragging.current = false);
  return {
    onPointerDown: (event) => {
      const at = under(event);
      isDragging.current = chooses && event.button === 0;
      if (isDragging.current) event.currentTarget.setPointerCapture(event.pointerId);
      onMove(() => ({ at, from: null }));
    },
    onPointerMove: (event) => {
      const at = under(event);
      const drags = isDragging.current;
      onMove((now) => {
        if (drags) return { at, from: now.from ?? (now.at === at ? null : now.at) };
        return now.from === null ? { at, from: null } : now;
      });
    },
    onPointerUp: ends,
    onPointerCancel: ends,
  };
}

const percent = (share: number): string => `${share * 100}%`;

/** The bars that are read, and what they say. The text leans to the side where there is room. */
function Tip({ first, last, text, count }: Reading & { count: number }) {
  const middle = (first + last + 1) / 2 / count;
  return (
    <>
      <span
        aria-hidden="true"
        className="absolute inset-y-0 bg-ink/10"
        style={{ left: percent(first / count), width: percent((last - first + 1) / count) }}
      />
      <span
        aria-hidden="true"
        data-chart-tip
        className="pointer-events-none absolute top-1 z-10 max-w-full rounded-field bg-ink px-3 py-2 text-caption text-paper sm:whitespace-nowrap"
        style={middle < 0.5 ? { left: percent(middle) } : { right: percent(1 - middle) }}
      >
        {text}
      </span>
    </>
  );
}

function Choice({ text, query, onUndo }: { text: string; query: string; onUndo: () => void }) {
  return (
    <p role="status" className="mt-3 flex flex-wrap items-center gap-x-4 text-small">
      <span className="font-semibold">{text}</span>
      <Link
        to={query}
        preventScrollReset
        className="inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-4"
      >
        Ver só estes dias
      </Link>
      <button
        type="button"
        className="min-h-11 text-muted underline underline-offset-4"
        onClick={onUndo}
      >
        Desfazer a escolha
      </button>
    </p>
  );
}
