import { ButtonLink } from "#app/components/ui/button.tsx";
import { MoneyLink } from "#app/components/ui/links/money-link.tsx";

/** Debt that the next sales will repay, with a link to settle it. */
export function DebtNote({ owedCents, of }: { owedCents: number; of: string | null }) {
  return (
    <section
      aria-label="A descontar"
      className="flex flex-wrap items-center justify-between gap-4 rounded-card bg-attention-soft p-4 sm:p-5"
    >
      <p className="min-w-0 flex-1 basis-60">
        Faltam{" "}
        <MoneyLink
          to="/settings/transfers/entries?account=owed"
          cents={owedCents}
          className="font-bold"
        />{" "}
        de pagamentos que voltaram depois de já estarem no saldo. Descontamos no máximo metade de
        cada novo valor liberado, até acabar.
      </p>
      <ButtonLink to="/settings/transfers/debt" variant="outline">
        {of ? "Ver o que causou" : "Ver e quitar com Pix"}
      </ButtonLink>
    </section>
  );
}
