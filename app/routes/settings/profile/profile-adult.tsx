import { Form, redirect, useNavigation } from "react-router";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { markPageAdult } from "#app/domain/age/commands.server.ts";
import { MARK_PROBLEM_TEXTS } from "#app/domain/age/errors.ts";
import { adultPageOf } from "#app/domain/age/queries.server.ts";
import { adultMarkProblem } from "#app/domain/age/rules.ts";
import { markAdultSchema } from "#app/domain/age/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/profile-adult.ts";

export const meta: Route.MetaFunction = () => [{ title: "Página para maiores de 18 · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const page = foundOr404(await adultPageOf(ctx, { personId: context.get(memberContext).id }));
  if (page.isAdult) throw redirect("/settings/profile/adult/removal");
  foundOr404(ctx.settings.adultSpaces && page.isCreator ? page : null);
  const problem = adultMarkProblem(page.documents, ctx.now());
  return {
    problem: problem && MARK_PROBLEM_TEXTS[problem],
    sendsDocuments: problem !== null && problem !== "underage",
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  return handleForm(request, markAdultSchema, async () => {
    await markPageAdult(context.get(domainContext), { personId: context.get(memberContext).id });
    return redirectWithToast(request, "/settings/profile", {
      kind: "success",
      message: "A sua página agora é para maiores de 18 anos.",
    });
  });
}

export default function MarkAdult({
  loaderData: { problem, sendsDocuments },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <AccountCrumb to="/settings/profile">Página pública</AccountCrumb>
      <PageHeader
        title="Página para maiores de 18"
        lead="Para quem publica o que só adultos podem ver. Vale na hora."
      />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <FormMessage message={actionData?.message ?? problem} />
        <ul className="flex list-disc flex-col gap-2 pl-5">
          <li>
            Só quem confirmou ter 18 anos vê publicações, arquivos, comentários, coleções, eventos e
            planos. Os outros veem o seu nome e um aviso.
          </li>
          <li>
            A página sai dos buscadores, dos feeds públicos e, para quem não confirmou a idade, da
            busca e de Explorar.
          </li>
          <li>
            Quem já assina e não confirmou a idade também precisa confirmar. As assinaturas
            continuam até que cada pessoa cancele.
          </li>
          <li>Na sua equipe, só quem confirmou a idade continua a trabalhar na página.</li>
        </ul>
        <Form method="post" className="flex flex-wrap gap-2">
          {problem === null ? <Button disabled={isBusy}>Marcar a página</Button> : null}
          {sendsDocuments ? (
            <ButtonLink to="/settings/check-documents">Ver os documentos</ButtonLink>
          ) : null}
          <ButtonLink to="/settings/profile" variant="outline">
            Voltar
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
