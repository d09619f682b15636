import { Form, useNavigation } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/choice.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { chooseWriters } from "#app/domain/messages/commands/members.server.ts";
import { writerChoiceOf } from "#app/domain/messages/queries.server.ts";
import { WRITER_CHOICES } from "#app/domain/messages/rules.ts";
import type { WriterChoice } from "#app/domain/messages/rules.ts";
import { messageSettingsSchema } from "#app/domain/messages/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/messages.ts";

export const meta: Route.MetaFunction = () => [{ title: "Mensagens · Ajustes · Coreto" }];

const LABELS: Record<WriterChoice, { label: string; hint: string }> = {
  everyone: { label: "Todo mundo", hint: "Quem você não conhece escreve primeiro em Pedidos." },
  followers: { label: "Quem me segue", hint: "E quem assina." },
  subscribers: { label: "Quem assina", hint: "Só assinantes com acesso." },
  nobody: { label: "Ninguém", hint: "Só você começa conversas." },
};

export async function loader({ context }: Route.LoaderArgs) {
  const { id, isCreator } = context.get(memberContext);
  return {
    isCreator,
    writers: await writerChoiceOf(context.get(domainContext), { personId: id }),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  return await handleForm(request, messageSettingsSchema, async ({ writers }) => {
    await chooseWriters(context.get(domainContext), {
      personId: context.get(memberContext).id,
      writers,
    });
    return await redirectWithToast(request, "/settings/messages", {
      kind: "success",
      message: "Salvo.",
    });
  });
}

export default function MessageSettings({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader
        title="Mensagens"
        lead="Quem já conversa com você continua, e quem recebe as suas boas-vindas pode responder."
      />
      <Card className="p-5 sm:p-6">
        {loaderData.isCreator ? (
          <Form method="post" className="flex flex-col gap-5">
            <FormMessage message={actionData?.message} />
            <Choices
              legend="Quem pode escrever para você"
              name="writers"
              type="radio"
              options={WRITER_CHOICES.map((value) => ({ value, ...LABELS[value] }))}
              defaultValue={[loaderData.writers]}
              error={actionData?.errors["writers"]}
            />
            <Button disabled={isBusy} className="self-start">
              Salvar
            </Button>
          </Form>
        ) : (
          <p>Só recebe mensagens de quem você segue ou assina, ou de quem segue você.</p>
        )}
      </Card>
    </>
  );
}
