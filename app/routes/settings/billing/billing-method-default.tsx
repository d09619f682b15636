import { redirect } from "react-router";
import { z } from "zod";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { setDefaultMethod } from "#app/domain/billing/saved-methods/commands/saved-methods.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/billing-method-default.ts";

export const meta: Route.MetaFunction = () => [{ title: "Cartão principal · Coreto" }];

export function loader() {
  return redirect("/settings/billing");
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await handleForm(request, z.object({}), async () => {
    await setDefaultMethod(context.get(domainContext), {
      personId: context.get(memberContext).id,
      methodId: params.methodId,
    });
    return await redirectWithToast(request, "/settings/billing", {
      kind: "success",
      message: "Este agora é o seu cartão principal.",
    });
  });
}

/** Shows a refusal. A success redirects. */
export default function BillingMethodDefault({ actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Cartão principal" />
      <div className="flex flex-col gap-5">
        <FormMessage message={actionData?.message} />
        <ButtonLink to="/settings/billing" variant="outline" className="self-start">
          Voltar para os pagamentos
        </ButtonLink>
      </div>
    </>
  );
}
