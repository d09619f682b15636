import { Download, Printer } from "lucide-react";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { useHydrated } from "#app/components/shell/browser/use-hydrated.ts";

/**
 * Actions on a document: its PDF, printing with JavaScript, and a link back. None of them is
 * printed.
 */
export function DocumentActions({ pdf, back }: { pdf: string; back: string }) {
  const isHydrated = useHydrated();
  return (
    <div className="flex flex-wrap gap-2 print:hidden">
      <ButtonLink to={pdf} reloadDocument>
        <Download aria-hidden="true" className="size-4.5" />
        Baixar PDF
      </ButtonLink>
      {isHydrated ? (
        <Button type="button" variant="outline" onClick={() => window.print()}>
          <Printer aria-hidden="true" className="size-4.5" />
          Imprimir
        </Button>
      ) : null}
      <ButtonLink to={back} variant="ghost">
        Voltar
      </ButtonLink>
    </div>
  );
}
