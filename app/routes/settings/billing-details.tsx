import { COMPANY } from "#app/components/shell/company.ts";
import { Facts } from "#app/components/payments/facts.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { memberContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/billing-details.ts";

export const meta: Route.MetaFunction = () => [{ title: "Dados de cobrança · Coreto" }];

export function loader({ context }: Route.LoaderArgs) {
  const { name, email } = context.get(memberContext);
  return { name, email };
}

export default function BillingDetails({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Dados de cobrança" lead="O que vai em cada recibo e para onde ele é mandado." />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <Facts
          facts={[
            { label: "Nome", value: loaderData.name },
            { label: "E-mail", value: loaderData.email },
            { label: "Intermediado por", value: `${COMPANY.name}, CNPJ ${COMPANY.cnpj}` },
          ]}
        />
        <p className="text-small text-muted">Quem vende aparece em cada compra, com nome e CPF.</p>
        <div className="flex flex-wrap gap-2">
          <ButtonLink to="/settings/profile" variant="outline">
            Mudar meu nome
          </ButtonLink>
          <ButtonLink to="/settings/billing" variant="ghost">
            Voltar
          </ButtonLink>
        </div>
      </Card>
    </>
  );
}
