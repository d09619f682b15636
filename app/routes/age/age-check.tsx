import { Form, redirect, redirectDocument, useNavigation } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { startAgeCheck } from "#app/domain/age/commands.server.ts";
import { AdultSpacesOff, startProblemText } from "#app/domain/age/errors.ts";
import { loadAgeStatus } from "#app/domain/age/queries.server.ts";
import { ageCheckProblem } from "#app/domain/age/rules.ts";
import { ADULT_PAGE_LABEL, startAgeCheckSchema } from "#app/domain/age/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { internalPath } from "#app/lib/own-path.ts";
import { foundOr404, throwRefusals } from "#app/http/refusal.ts";
import type { Route } from "./+types/age-check.ts";

export const meta: Route.MetaFunction = () => [{ title: "Confirmar a idade · Coreto" }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  if (!ctx.ageCheck) await throwRefusals(() => Promise.reject(new AdultSpacesOff()));
  const to = internalPath(url.searchParams.get("to"));
  const problem = ageCheckProblem(
    foundOr404(await loadAgeStatus(ctx, { personId: context.get(memberContext).id })),
    ctx.now(),
  );
  if (problem?.kind === "checked") throw redirect(to);
  return { to, problem: problem && startProblemText(problem) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  return handleForm(request, startAgeCheckSchema, async ({ to }) => {
    const returnTo = new URL("/age-check/answer", ctx.settings.appOrigin);
    returnTo.searchParams.set("to", internalPath(to));
    return redirectDocument(
      await startAgeCheck(ctx, {
        personId: context.get(memberContext).id,
        returnTo: returnTo.href,
      }),
    );
  });
}

export default function AgeCheckPage({
  loaderData: { to, problem },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader
        title="Confirmar a idade"
        lead={`${ADULT_PAGE_LABEL}: uma confirmação vale para todas.`}
      />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <FormMessage message={actionData?.message ?? problem} />
        <p>
          Quem confere a sua idade é um serviço de verificação, na página dele. Ele conta ao Coreto
          só sim ou não: não recebemos nem guardamos documento, rosto ou data.
        </p>
        <Form method="post" className="flex flex-wrap gap-2">
          <input type="hidden" name="to" value={to} />
          {problem === null ? <Button disabled={isBusy}>Confirmar minha idade</Button> : null}
          <ButtonLink to="/" variant="outline">
            {problem === null ? "Agora não" : "Voltar ao início"}
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
