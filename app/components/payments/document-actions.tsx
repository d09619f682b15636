import { Download, Printer } from "lucide-react";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { useHydrated } from "#app/components/shell/use-hydrated.ts";

/**
 * What is done with a paper on the screen: its PDF, the printer where there is JavaScript, and the
 * way back. None of it is printed.
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
