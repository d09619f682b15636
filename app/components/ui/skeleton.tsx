/** Loading placeholder; `className` gives it the final shape. */
export function Skeleton({ className = "h-4 w-full" }: { className?: string }) {
  return <span aria-hidden="true" className={`skeleton block rounded-field ${className}`} />;
}

/** What will be in the place of the placeholder. */
export type LoadingShape = "post" | "rows" | "figures" | "options";

const SHAPES = { post: PostShape, rows: RowsShape, figures: FiguresShape, options: OptionsShape };

/**
 * A part that takes noticeably long to load (`useSlow`), in the shape of what comes. `count` is how
 * many there will be. What holds it has `aria-busy`.
 */
export function Loading({
  shape,
  count = shape === "rows" ? 5 : shape === "options" ? 3 : 1,
  label = "Carregando",
}: {
  shape: LoadingShape;
  count?: number;
  label?: string;
}) {
  const Shape = SHAPES[shape];
  return (
    <div role="status" aria-label={label}>
      <Shape count={count} />
    </div>
  );
}

const listOf = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

function PostShape({ count }: { count: number }) {
  return (
    <div className="flex flex-col gap-4">
      {listOf(count).map((at) => (
        <div key={at} className="flex flex-col gap-4 rounded-card border border-line bg-card p-5">
          <div className="flex items-center gap-3">
            <Skeleton className="size-10 rounded-full" />
            <div className="flex flex-1 flex-col gap-2">
              <Skeleton className="h-4 w-40" />
              <Skeleton className="h-3 w-24" />
            </div>
          </div>
          <Skeleton className="h-6 w-3/4" />
          <Skeleton className="h-4" />
          <Skeleton className="aspect-video" />
        </div>
      ))}
    </div>
  );
}

function RowsShape({ count }: { count: number }) {
  return (
    <div className="flex flex-col divide-y divide-line rounded-card border border-line bg-card px-5">
      {listOf(count).map((row) => (
        <div key={row} className="flex items-center gap-3 py-4">
          <Skeleton className="size-10 rounded-full" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-4 w-48 max-w-full" />
            <Skeleton className="h-3 w-32 max-w-full" />
          </div>
        </div>
      ))}
    </div>
  );
}

/** Figures and the chart below them. */
function FiguresShape({ count }: { count: number }) {
  return (
    <div className="flex flex-col gap-4">
      {listOf(count).map((at) => (
        <div key={at} className="flex flex-col gap-4">
          <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
            {listOf(4).map((figure) => (
              <div
                key={figure}
                className="flex flex-col gap-3 rounded-card border border-line bg-card p-4"
              >
                <Skeleton className="h-3 w-16" />
                <Skeleton className="h-7 w-20" />
              </div>
            ))}
          </div>
          <div className="rounded-card border border-line bg-card p-5">
            <Skeleton className="h-56" />
          </div>
        </div>
      ))}
    </div>
  );
}

/** Options of a list that is being searched. */
function OptionsShape({ count }: { count: number }) {
  return listOf(count).map((at) => (
    <div key={at} className="flex min-h-11 items-center gap-3 px-3 py-1.5">
      <Skeleton className="size-8 rounded-full" />
      <Skeleton className="h-4 w-48 max-w-full" />
    </div>
  ));
}
