/** Logo: a small bandstand with a dome over three posts on a base. */
export function LogoMark({ className = "size-9" }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className={className}>
      <path d="M6.5 12a9.5 8 0 0 1 19 0z" fill="var(--signal)" />
      <g stroke="currentColor" strokeWidth="2" strokeLinecap="round">
        <path d="M16 2v5M4 12.5h24M8.5 13v13M16 13v13M23.5 13v13M3 29h26" />
      </g>
    </svg>
  );
}

export function Logo({ className = "" }: { className?: string }) {
  return (
    <span className={`inline-flex items-center gap-2.5 text-ink ${className}`}>
      <LogoMark className="size-8" />
      <span className="font-display text-heading font-bold whitespace-nowrap">Coreto</span>
    </span>
  );
}
