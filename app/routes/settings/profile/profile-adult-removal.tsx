import { counted } from "#app/domain/text.ts";
import { Form, redirect, useNavigation } from "react-router";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { unmarkPageAdult } from "#app/domain/age/commands.server.ts";
import { adultPageOf } from "#app/domain/age/queries.server.ts";
import { unmarkAdultSchema } from "#app/domain/age/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/profile-adult-removal.ts";

export const meta: Route.MetaFunction = () => [{ title: "Tirar a marca de 18 anos · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const page = foundOr404(await adultPageOf(ctx, { personId: context.get(memberContext).id }));
  if (!page.isAdult) throw redirect("/settings/profile");
  return { publishedCount: page.publishedCount, isShown: ctx.settings.adultSpaces };
}

export async function action({ request, context }: Route.ActionArgs) {
  return handleForm(request, unmarkAdultSchema, async () => {
    await unmarkPageAdult(context.get(domainContext), { personId: context.get(memberContext).id });
    return redirectWithToast(request, "/settings/profile", {
      kind: "success",
      message: "A sua página é para todas as idades de novo.",
    });
  });
}

export default function UnmarkAdult({
  loaderData: { publishedCount, isShown },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  const published = counted(publishedCount, "publicação passa", "publicações passam");
  return (
    <>
      <AccountCrumb to="/settings/profile">Página pública</AccountCrumb>
      <PageHeader
        title="Tirar a marca de 18 anos?"
        lead="A página volta a ser de todas as idades, com tudo o que já está publicado nela."
      />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <FormMessage message={actionData?.message} />
        {isShown ? null : (
          <p>
            Hoje só você vê a sua página, porque o Coreto está sem páginas para maiores de 18 anos.
            Nada do que está nela se perdeu.
          </p>
        )}
        <Form method="post" noValidate className="flex flex-col gap-5">
          <Choices
            type="checkbox"
            legend={`${published} a aparecer para qualquer pessoa, também em buscadores.`}
            name="checked"
            options={[
              { value: "on", label: "Conferi o que está publicado: nada é só para adultos" },
            ]}
            error={actionData?.errors["checked"]}
          />
          <div className="flex flex-wrap gap-2">
            <Button disabled={isBusy}>Tirar a marca</Button>
            <ButtonLink to="/settings/profile" variant="outline">
              Manter
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
