import { useEffect, useRef } from "react";
import { PlanForm } from "#app/components/plan-form/plan-form.tsx";
import { PlanSuggestions } from "#app/components/plan-form/plan-suggestions.tsx";
import { useChoiceFocus } from "#app/components/plan-form/use-choice-focus.ts";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { requireWriter } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { loadPlanFormData, planStart } from "./suggestions.server.ts";
import { submitNewPlan } from "./new-plan.server.ts";
import type { Route } from "./+types/plan-create.ts";

export const meta: Route.MetaFunction = () => [{ title: "Novo plano · Coreto" }];

export async function loader({ context, request }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { personId } = requireWriter({ context }, "plans:edit").space;
  const { feeBasisPoints, profile, planNames } = await loadPlanFormData(ctx, {
    creatorId: personId,
  });
  const search = new URL(request.url).searchParams;
  return { feeBasisPoints, ...planStart({ profile, planNames, search }) };
}

export const action = async (route: Route.ActionArgs) => await submitNewPlan(route);

export default function PlanCreate({ loaderData, actionData }: Route.ComponentProps) {
  const { feeBasisPoints, offered, chosen, welcomeDraft } = loaderData;
  const choice = chosen?.key ?? null;
  const nameRef = useChoiceFocus(choice);
  const suggestions = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    // A person may have opened it by hand, which React does not see.
    if (choice !== null && suggestions.current) suggestions.current.open = false;
  }, [choice]);
  return (
    <>
      <PageHeader
        title="Novo plano"
        lead="O que quem assina recebe, e por quanto. Só aparece para os outros quando você colocar à venda."
      />
      <details ref={suggestions} className="pb-4" open={offered.isAsked && chosen === null}>
        <summary className="flex min-h-11 items-center font-semibold">
          Começar por uma sugestão
        </summary>
        <PlanSuggestions {...offered} />
      </details>
      <Card className="p-5 sm:p-6">
        <PlanForm
          plan={null}
          start={chosen}
          nameRef={nameRef}
          welcomeDraft={welcomeDraft}
          feeBasisPoints={feeBasisPoints}
          problem={actionData}
          submitLabel="Criar plano"
        />
      </Card>
    </>
  );
}
