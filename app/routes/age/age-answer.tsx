import { PageHeader } from "#app/components/ui/page-header.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { settleAgeCheck } from "#app/domain/age/commands.server.ts";
import { REFERENCE_PARAMETER } from "#app/domain/age/schema.ts";
import { domainContext, memberContext, didWriteContext } from "#app/http/contexts.ts";
import { internalPath } from "#app/lib/own-path.ts";
import { throwRefusals } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/age-answer.ts";

export const meta: Route.MetaFunction = () => [{ title: "Confirmar a idade · Coreto" }];

/**
 * Handles the return from the age check. Asks the provider, stores the answer once, and redirects.
 * A repeated visit changes nothing.
 */
export async function loader({ context, request, url }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { id: personId } = context.get(memberContext);
  const to = internalPath(url.searchParams.get("to"));
  const answer = await throwRefusals(() =>
    settleAgeCheck(ctx, { personId, reference: url.searchParams.get(REFERENCE_PARAMETER) ?? "" }),
  );
  context.set(didWriteContext, true);
  if (answer === "yes")
    throw await redirectWithToast(request, to, { kind: "success", message: "Idade confirmada." });
  return { answer, to };
}

export default function AgeAnswer({ loaderData: { answer, to } }: Route.ComponentProps) {
  const isNo = answer === "no";
  return (
    <>
      <PageHeader title={isNo ? "A verificação respondeu que não" : "Não recebemos a resposta"} />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <p>
          {isNo
            ? "As páginas para maiores de 18 anos continuam fechadas para você. Guardamos só que a resposta foi não e quando: nada do que você mostrou. Se foi engano, dá para tentar de novo daqui a um dia."
            : "A verificação foi interrompida, demorou demais ou foi feita em outra conta. Nada mudou: comece de novo quando quiser."}
        </p>
        <div className="flex flex-wrap gap-2">
          {isNo ? null : (
            <ButtonLink to={`/age-check?to=${encodeURIComponent(to)}`}>Tentar de novo</ButtonLink>
          )}
          <ButtonLink to="/" variant="outline">
            Voltar ao início
          </ButtonLink>
        </div>
      </Card>
    </>
  );
}
