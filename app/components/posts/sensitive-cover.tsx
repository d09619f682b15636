import type { ReactNode } from "react";

/**
 * What its author called sensitive waits behind a click, without JavaScript too; nothing of it is
 * loaded before.
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
