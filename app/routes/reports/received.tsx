import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { reportOfPerson } from "#app/domain/moderation/reports/queries.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/received.ts";

export const meta: Route.MetaFunction = () => [{ title: "Denúncia recebida · Coreto" }];

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const report = foundOr404(
    await reportOfPerson(context.get(domainContext), {
      reportId: params.reportId,
      personId: context.get(memberContext).id,
    }),
    "Não encontramos esta denúncia.",
  );
  return { author: report.author, isRepeated: url.searchParams.has("again") };
}

export default function Received({ loaderData: { author, isRepeated } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title={isRepeated ? "Você já denunciou isto" : "Recebemos a sua denúncia"}
        lead={
          isRepeated
            ? "A sua denúncia continua aberta. Denunciar de novo não acrescenta nada."
            : "Obrigado por avisar."
        }
      />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <div className="flex flex-col gap-2">
          <h2 className="text-heading">O que acontece agora</h2>
          <ol className="flex list-decimal flex-col gap-2 pl-5">
            <li>Guardamos uma cópia do conteúdo como ele estava quando você denunciou.</li>
            <li>Uma pessoa da moderação confere e decide. Nada é escondido antes disso.</li>
            <li>Você recebe um aviso com o que aconteceu, e acompanha em Minhas denúncias.</li>
          </ol>
        </div>
        {author ? (
          <div className="flex flex-col gap-3 border-t border-line pt-5">
            <p>
              Não quer mais ver {author.name}? Com o bloqueio, cada pessoa deixa de ver a outra, e
              ninguém recebe aviso.
            </p>
            <ButtonLink
              to={`/space/${author.username}/block`}
              variant="outline"
              className="self-start"
            >
              Bloquear {author.name}
            </ButtonLink>
          </div>
        ) : null}
        <div className="flex flex-wrap gap-2">
          <ButtonLink to="/">Voltar ao início</ButtonLink>
          <ButtonLink to="/settings/reports" variant="outline">
            Minhas denúncias
          </ButtonLink>
        </div>
      </Card>
    </>
  );
}
