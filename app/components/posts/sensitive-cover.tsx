import type { ReactNode } from "react";

/**
 * Hides a post that its author marked as sensitive until a click, also without JavaScript. Loads
 * none of it before.
 */
export function SensitiveCover({
  isSensitive,
  children,
}: {
  isSensitive: boolean;
  children: ReactNode;
}) {
  if (!isSensitive) return children;
  return (
    <details className="rounded-field bg-sand">
      <summary className="flex min-h-24 items-center justify-center gap-2 px-4 text-center font-semibold">
        Conteúdo sensível. Tocar para mostrar ou esconder.
      </summary>
      <div className="flex flex-col gap-4">{children}</div>
    </details>
  );
}
