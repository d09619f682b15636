import { Link } from "react-router";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { ApiKeyDetails } from "./api-key-details.tsx";
import type { ApiKeyView } from "./api-key-details.tsx";

/** API keys with access to the account: permissions, last use, and a way to revoke each. */
export function AppsWithAccess({ keys }: { keys: ApiKeyView[] }) {
  return (
    <>
      {keys.length === 0 ? (
        <p className="text-muted">
          Nenhum. Um programa só lê o Coreto em seu nome com uma chave que você criou.
        </p>
      ) : (
        <Card className="overflow-hidden">
          <ul className="divide-y divide-line">
            {keys.map((key) => (
              <li
                key={key.id}
                className="flex flex-wrap items-center justify-between gap-4 px-5 py-4"
              >
                <ApiKeyDetails apiKey={key} level="h3" />
                <ButtonLink
                  to={`/auth/account/keys/${key.id}/revocation`}
                  variant="outline"
                  size="sm"
                  aria-label={`Revogar ${key.name}`}
                >
                  Revogar
                </ButtonLink>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Link
        to="/auth/account/keys"
        className="inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2"
      >
        Gerenciar chaves de API
      </Link>
    </>
  );
}
