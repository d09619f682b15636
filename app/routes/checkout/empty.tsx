import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import type { Route } from "./+types/empty.ts";

export const meta: Route.MetaFunction = () => [{ title: "Pagar · Coreto" }];

/** The checkout without a purchase in its address: leads on to what can be bought. */
export default function EmptyCheckout() {
  return (
    <>
      <PageHeader title="Pagar" />
      <EmptyState
        title="Você ainda não escolheu o que pagar"
        action={
          <>
            <ButtonLink to="/explore">Explorar</ButtonLink>
            <ButtonLink to="/settings/subscriptions" variant="outline">
              Suas assinaturas
            </ButtonLink>
          </>
        }
      >
        Abra a página de quem você quer apoiar e escolha um plano, uma publicação ou uma coleção.
      </EmptyState>
    </>
  );
}
