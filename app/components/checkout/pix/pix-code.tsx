import { Copy, CopyCheck } from "lucide-react";
import { Button } from "#app/components/ui/button.tsx";
import { useCopied } from "#app/components/ui/use-copied.ts";

export type QrDrawing = { path: string; size: number };

/** QR code, black on white in any theme, with the quiet zone that readers need. */
export function QrCode({
  drawing,
  label = "QR code do Pix",
}: {
  drawing: QrDrawing;
  label?: string;
}) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${drawing.size} ${drawing.size}`}
      shapeRendering="crispEdges"
      className="aspect-square w-full max-w-64 rounded-field bg-white"
    >
      <path d={drawing.path} fill="#15170f" />
    </svg>
  );
}

/** Pix code as selectable text, with a copy button. */
export function PixCodeText({ code }: { code: string }) {
  const { copied, copy } = useCopied();
  return (
    <div className="flex flex-col gap-3">
      <Button
        type="button"
        size="lg"
        className="order-1 w-full noscript:hidden lg:order-2"
        onClick={() => copy(code)}
      >
        {copied === "yes" ? (
          <CopyCheck aria-hidden="true" className="size-5" />
        ) : (
          <Copy aria-hidden="true" className="size-5" />
        )}
        {copied === "yes" ? "Copiado" : "Copiar código Pix"}
      </Button>
      <code
        tabIndex={0}
        role="group"
        aria-label="Código Pix"
        className="order-2 max-h-20 overflow-y-auto rounded-field bg-sand px-4 py-3 font-mono text-small break-all select-all lg:order-1"
      >
        {code}
      </code>
      <p className="order-3 hidden text-small text-muted noscript:block">
        Toque no código: ele se seleciona inteiro. Copie e cole no app do banco.
      </p>
      <p
        role="status"
        className={copied === "failed" ? "order-3 text-small text-refusal" : "sr-only"}
      >
        {copied === "failed"
          ? "Seu navegador não deixou copiar. Toque no código, copie e cole no banco."
          : copied === "yes"
            ? "Código copiado"
            : ""}
      </p>
    </div>
  );
}
