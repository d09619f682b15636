import { redirect } from "react-router";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { webAddress } from "#app/domain/messages/rules.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/link.ts";

export const meta: Route.MetaFunction = () => [{ title: "Sair do Coreto · Coreto" }];

/** Where a link of a message leads: asks before another site, and goes on at once to our own. */
export function loader({ context, url }: Route.LoaderArgs) {
  const { appOrigin } = context.get(domainContext).settings;
  const to = foundOr404(webAddress(url.searchParams.get("to") ?? ""), "Este link não existe.");
  if (to.origin === appOrigin) throw redirect(to.href);
  return { href: to.href, host: to.host };
}

export default function LinkPage({ loaderData: { href, host } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title={`Você vai sair do Coreto para ${host}`}
        lead="Este site não é nosso. Não digite nele a sua senha do Coreto, nem um código que chegou para você."
      />
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        <p className="text-small text-muted wrap-anywhere">{href}</p>
        <div className="flex flex-wrap gap-2">
          <a
            href={href}
            rel="nofollow ugc noopener noreferrer"
            className="inline-flex min-h-11 items-center rounded-full bg-signal px-5 font-semibold text-on-signal hover:bg-signal-strong"
          >
            Continuar
          </a>
          <ButtonLink to="/messages" variant="outline">
            Ficar no Coreto
          </ButtonLink>
        </div>
      </Card>
    </>
  );
}
