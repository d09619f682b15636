import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { ApiKeyDetails } from "#app/components/account/api-keys/api-key-details.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { memberApiKeys } from "#app/domain/identity/api-keys/queries.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { apiKeyView } from "#app/components/account/api-keys/shown-key.ts";
import type { Route } from "./+types/keys.ts";

export const meta: Route.MetaFunction = () => [{ title: "Chaves de API · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const keys = await memberApiKeys(ctx, { personId: context.get(memberContext).id });
  return { keys: keys.map((key) => apiKeyView(key, ctx.now())) };
}

export default function ApiKeys({ loaderData: { keys } }: Route.ComponentProps) {
  const create = <ButtonLink to="/auth/account/keys/create">Criar chave</ButtonLink>;
  return (
    <>
      <AccountCrumb />
      <PageHeader title="Chaves de API" lead="Com uma chave, um programa lê o Coreto em seu nome.">
        {keys.length > 0 ? create : null}
      </PageHeader>
      {keys.length === 0 ? (
        <EmptyState title="Nenhuma chave ainda" action={create}>
          Crie uma para cada programa: assim você revoga uma sem parar as outras.
        </EmptyState>
      ) : (
        <ul className="flex flex-col gap-4">
          {keys.map((key) => (
            <Card
              as="li"
              key={key.id}
              className="flex flex-wrap items-center justify-between gap-4 p-5"
            >
              <ApiKeyDetails apiKey={key} />
              <ButtonLink
                to={`/auth/account/keys/${key.id}/revocation`}
                variant="outline"
                size="sm"
                aria-label={`Revogar ${key.name}`}
              >
                Revogar
              </ButtonLink>
            </Card>
          ))}
        </ul>
      )}
    </>
  );
}
