import { Form, useNavigation } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { CheckboxField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { saveMessageSettings } from "#app/domain/messages/commands/members.server.ts";
import { messageSettingsOf } from "#app/domain/messages/queries/settings.server.ts";
import { WRITER_CHOICES } from "#app/domain/messages/rules.ts";
import type { WriterChoice } from "#app/domain/messages/rules.ts";
import { messageSettingsSchema } from "#app/domain/messages/schema.ts";
import { plansOfCreator } from "#app/domain/plans/queries.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/messages.ts";

export const meta: Route.MetaFunction = () => [{ title: "Mensagens · Ajustes · Coreto" }];

const LABELS: Record<WriterChoice, { label: string; hint: string }> = {
  everyone: { label: "Todo mundo", hint: "Quem você não conhece escreve primeiro em Pedidos." },
  followers: { label: "Quem me segue", hint: "E quem assina." },
  subscribers: { label: "Quem assina", hint: "Só assinantes com acesso." },
  plans: { label: "Quem assina certos planos", hint: "Escolha os planos abaixo." },
  nobody: { label: "Ninguém", hint: "Só você começa conversas." },
};

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { id, isCreator } = context.get(memberContext);
  const plans = isCreator
    ? await plansOfCreator(ctx, { creatorId: id, states: ["active", "archived"] })
    : [];
  return {
    isCreator,
    plans: plans.map((plan) => ({ value: plan.id, label: plan.name })),
    settings: await messageSettingsOf(ctx, { personId: id }),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  return await handleForm(request, messageSettingsSchema, async (chosen) => {
    await saveMessageSettings(context.get(domainContext), {
      personId: context.get(memberContext).id,
      writers: chosen.writers,
      writerPlanIds: chosen.writerPlanIds,
      showsReads: chosen.showsReads === "true",
      showsPresence: chosen.showsPresence === "true",
    });
    return await redirectWithToast(request, "/settings/messages", {
      kind: "success",
      message: "Salvo.",
    });
  });
}

export default function MessageSettingsPage({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  const { isCreator, settings } = loaderData;
  return (
    <>
      <PageHeader
        title="Mensagens"
        lead="Quem já conversa com você continua, e quem recebe as suas boas-vindas pode responder."
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <FormMessage message={actionData?.message} />
          {isCreator ? (
            <WriterFields {...loaderData} problem={actionData} />
          ) : (
            <p>Só recebe mensagens de quem você segue ou assina, ou de quem segue você.</p>
          )}
          <CheckboxField
            label="Mostrar quando li"
            name="showsReads"
            value="true"
            defaultChecked={settings.showsReads}
            hint="Sem isto, você também não vê quando os outros leram."
          />
          <CheckboxField
            label="Mostrar quando estou aqui"
            name="showsPresence"
            value="true"
            defaultChecked={settings.showsPresence}
            hint="Vale também para “está digitando…”. Sem isto, você também não vê dos outros."
          />
          <Button disabled={isBusy} className="self-start">
            Salvar
          </Button>
        </Form>
      </Card>
    </>
  );
}

function WriterFields({
  plans,
  settings,
  problem,
}: Route.ComponentProps["loaderData"] & { problem: FormProblem | undefined }) {
  const options = WRITER_CHOICES.filter((value) => value !== "plans" || plans.length > 0);
  return (
    <>
      <Choices
        legend="Quem pode escrever para você"
        name="writers"
        type="radio"
        options={options.map((value) => ({ value, ...LABELS[value] }))}
        defaultValue={[problem?.values["writers"] ?? settings.writers]}
        error={problem?.errors["writers"]}
      />
      {plans.length === 0 ? null : (
        <Choices
          legend="Planos"
          name="writerPlanIds"
          type="checkbox"
          hint="Só conta para “Quem assina certos planos”."
          options={plans}
          defaultValue={
            problem ? (problem.values["writerPlanIds"] ?? "").split("\n") : settings.writerPlanIds
          }
          error={problem?.errors["writerPlanIds"]}
        />
      )}
    </>
  );
}
