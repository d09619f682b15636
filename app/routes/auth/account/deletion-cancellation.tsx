import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { cancelDeletion } from "#app/domain/deletion/commands/request.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/deletion-cancellation.ts";

const NO_FIELDS = z.object({});

export const meta: Route.MetaFunction = () => [{ title: "Manter a conta · Coreto" }];

export function loader({ context }: Route.LoaderArgs) {
  if (context.get(memberContext).leavingAt === null) throw redirect("/auth/account");
  return null;
}

export async function action({ request, context }: Route.ActionArgs) {
  return handleForm(request, NO_FIELDS, async () => {
    await cancelDeletion(context.get(domainContext), { personId: context.get(memberContext).id });
    return redirectWithToast(request, "/auth/account", {
      kind: "success",
      message: "Que bom! Sua conta continua como antes.",
    });
  });
}

export default function KeepAccount({ actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  return (
    <>
      <AccountCrumb to="/auth/account/deletion">Excluir conta</AccountCrumb>
      <PageHeader
        title="Manter a conta?"
        lead="Tudo volta a ser como antes: a página aparece e as assinaturas renovam."
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-4">
          <FormMessage message={actionData?.message} />
          <div className="flex flex-wrap gap-2">
            <Button disabled={isBusy}>Manter minha conta</Button>
            <ButtonLink to="/auth/account/deletion" variant="outline">
              Voltar
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
