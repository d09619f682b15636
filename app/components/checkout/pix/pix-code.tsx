import { CopyButton } from "#app/components/ui/copy-button.tsx";

/** Pix code as selectable text, with a copy button. */
export function PixCodeText({ code }: { code: string }) {
  return (
    <div className="flex flex-col gap-3">
      <CopyButton
        text={code}
        label="Copiar código Pix"
        copiedText="Código copiado"
        manualText="Toque no código, copie e cole no banco."
        variant="primary"
        size="lg"
        className="order-1 w-full lg:order-2"
      />
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
    </div>
  );
}
