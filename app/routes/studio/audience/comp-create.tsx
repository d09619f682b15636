import { counted } from "#app/domain/text.ts";
import { Form, useNavigation } from "react-router";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { SelectField, TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { plansOfCreator } from "#app/domain/plans/queries.server.ts";
import { grantComp } from "#app/domain/subscriptions/comps/commands.server.ts";
import { compUntilLabel } from "#app/domain/subscriptions/comps/rules.ts";
import { COMP_MONTHS_MAX, compSchema } from "#app/domain/subscriptions/comps/schema.ts";
import { submitForSpace, requireWriter } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/comp-create.ts";

export const meta: Route.MetaFunction = () => [{ title: "Dar uma assinatura · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const { space } = requireWriter({ context }, "plans:edit");
  const plans = await plansOfCreator(context.get(domainContext), {
    creatorId: space.personId,
    states: ["active"],
  });
  return {
    plans: plans.map(({ id, name, seatsLimit, seatsTaken }) => ({
      id,
      label:
        seatsLimit === null
          ? name
          : `${name} · ${Math.max(0, seatsLimit - seatsTaken)} de ${counted(seatsLimit, "lugar livre", "lugares livres")}`,
    })),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "plans:edit",
    compSchema,
    async (input, { space, member }) => {
      const { fanName, endsAt } = await grantComp(context.get(domainContext), {
        ...input,
        creatorId: space.personId,
        creatorName: space.name,
        givenBy: member.id,
      });
      return await redirectWithToast(request, "/me/subscribers?method=comp", {
        kind: "success",
        message: `Cortesia dada a ${fanName}, ${compUntilLabel(endsAt)}.`,
      });
    },
  );
}

const MONTHS = Array.from({ length: COMP_MONTHS_MAX }, (_, index) => ({
  value: String(index + 1),
  label: counted(index + 1, "mês", "meses"),
}));

export default function CompCreate({ loaderData: { plans }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  useFirstError(actionData);
  if (plans.length === 0) {
    return (
      <>
        <PageHeader title="Dar uma assinatura" />
        <EmptyState
          title="Nenhum plano à venda"
          action={<ButtonLink to="/me">Ver a página</ButtonLink>}
        >
          Coloque um plano à venda para dar uma assinatura dele.
        </EmptyState>
      </>
    );
  }
  const { values = {}, errors = {} } = actionData ?? {};
  return (
    <>
      <PageHeader
        title="Dar uma assinatura"
        lead="A pessoa vê tudo o que o plano abre, sem pagar nada. Ela recebe um aviso e pode recusar."
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5" noValidate>
          <ActingField />
          <FormMessage message={actionData?.message} />
          <TextField
            label="Para quem"
            name="username"
            placeholder="@nome.de.usuario"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            required
            maxLength={257}
            defaultValue={values.username}
            error={errors.username}
          />
          <SelectField
            label="Plano"
            name="planId"
            defaultValue={values.planId ?? plans[0]?.id}
            error={errors.planId}
            options={plans.map(({ id, label }) => ({ value: id, label }))}
          />
          <SelectField
            label="Por quanto tempo"
            name="months"
            defaultValue={values.months ?? "1"}
            error={errors.months}
            options={[...MONTHS, { value: "", label: "Sem prazo, até alguém encerrar" }]}
          />
          <p className="text-small text-muted">
            Uma cortesia ocupa um lugar do plano e nunca vira cobrança. Você pode encerrar quando
            quiser.
          </p>
          <div className="flex flex-wrap gap-2">
            <Button disabled={isBusy}>Dar a assinatura</Button>
            <ButtonLink to="/me/subscribers" variant="ghost">
              Voltar
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
