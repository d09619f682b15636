/** Loading placeholder; `className` gives it the final shape. */
export function Skeleton({ className = "h-4 w-full" }: { className?: string }) {
  return <span aria-hidden="true" className={`skeleton block rounded-field ${className}`} />;
}

/** Placeholder of a loading post. */
export function PostSkeleton() {
  return (
    <div
      role="status"
      aria-label="Carregando"
      className="flex flex-col gap-4 rounded-card border border-line bg-card p-5"
    >
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
  );
}

/** Placeholder of a loading list of rows. */
export function RowsSkeleton({ rows = 5 }: { rows?: number }) {
  return (
    <div
      role="status"
      aria-label="Carregando"
      className="flex flex-col divide-y divide-line rounded-card border border-line bg-card px-5"
    >
      {Array.from({ length: rows }, (_, row) => (
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
