import { Copy, CopyCheck } from "lucide-react";
import { Button } from "#app/components/ui/button.tsx";
import { useCopied } from "#app/components/ui/use-copied.ts";

type SecretTextProps = { label: string; copyLabel: string; text: string };

/**
 * Secret that is shown once. A touch selects all of it, and with JavaScript a button copies it.
 * Keeps line breaks.
 */
export function SecretText({ label, copyLabel, text }: SecretTextProps) {
  const { copied, copy } = useCopied();
  return (
    <div className="flex flex-col gap-3">
      <code
        tabIndex={0}
        aria-label={label}
        className="rounded-field bg-sand px-4 py-3 font-mono text-small break-all whitespace-pre-wrap select-all"
      >
        {text}
      </code>
      <p className="hidden text-small text-muted noscript:block">
        Toque no texto: ele se seleciona inteiro. Copie e guarde.
      </p>
      <Button
        type="button"
        variant="outline"
        className="self-start noscript:hidden"
        onClick={() => copy(text)}
      >
        {copied === "yes" ? (
          <CopyCheck aria-hidden="true" className="size-4.5" />
        ) : (
          <Copy aria-hidden="true" className="size-4.5" />
        )}
        {copied === "yes" ? "Copiado" : copyLabel}
      </Button>
      <p role="status" className={copied === "failed" ? "text-small text-refusal" : "sr-only"}>
        {copied === "failed"
          ? "Seu navegador não deixou copiar. Toque no texto e copie."
          : copied === "yes"
            ? "Copiado"
            : ""}
      </p>
    </div>
  );
}
