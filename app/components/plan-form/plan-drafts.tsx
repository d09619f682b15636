import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { intervalLabel } from "#app/domain/plans/rules/intervals.ts";
import type { Plan } from "#app/domain/plans/schema.ts";

/**
 * Reminds a creator to publish draft plans, or to create the first plan. Renders nothing when all
 * plans are on sale.
 */
export function PlanDrafts({
  drafts,
  hasPlans,
  mayEdit,
}: {
  drafts: Plan[];
  hasPlans: boolean;
  mayEdit: boolean;
}) {
  if (drafts.length === 0 && (hasPlans || !mayEdit)) return null;
  return (
    <Card as="section" label="Planos em rascunho" className="flex flex-col gap-4 p-5">
      {drafts.length === 0 ? (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-0 flex-1 basis-60">
            Crie um plano e receba por mês de quem gosta do que você faz.
          </p>
          <ButtonLink to="/plan/create">Criar um plano</ButtonLink>
        </div>
      ) : (
        <>
          <h2 className="text-heading">Planos em rascunho</h2>
          <ul className="flex flex-col gap-3">
            {drafts.map((draft) => (
              <li key={draft.id} className="flex flex-wrap items-center justify-between gap-3">
                <span className="min-w-0 flex-1 basis-40">
                  <span className="block font-semibold">{draft.name}</span>
                  {draft.prices.map((price) => (
                    <span key={price.id} className="block text-small text-muted">
                      <Money cents={price.amountCents} /> {intervalLabel(price.interval)}
                    </span>
                  ))}
                </span>
                {mayEdit ? (
                  <span className="flex flex-wrap gap-2">
                    <ButtonLink to={`/plan/${draft.id}/activation`}>Colocar à venda</ButtonLink>
                    <ButtonLink to={`/plan/${draft.id}/update`} variant="outline">
                      Editar
                    </ButtonLink>
                  </span>
                ) : null}
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}
