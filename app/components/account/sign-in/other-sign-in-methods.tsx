import { Wallet } from "lucide-react";
import { ButtonLink } from "#app/components/ui/button.tsx";
import type { ExternalProviderOption } from "#app/domain/identity/external-accounts/schema.ts";
import { ExternalSignInButtons } from "#app/components/account/external-accounts/external-sign-in-buttons.tsx";

/** Sign-in methods besides password and passkey. */
export function OtherSignInMethods({
  choices,
  to,
}: {
  choices: readonly ExternalProviderOption[];
  to: string;
}) {
  return (
    <div className="mt-3 flex flex-col gap-3">
      <ExternalSignInButtons choices={choices} to={to} />
      <details className="rounded-2xl">
        <summary className="min-h-11 cursor-pointer py-2.5 text-center text-small font-semibold text-muted">
          Outras formas
        </summary>
        <ButtonLink
          to={to === "/" ? "/auth/wallet" : `/auth/wallet?to=${encodeURIComponent(to)}`}
          variant="outline"
          size="lg"
        >
          <Wallet aria-hidden="true" className="size-5" />
          Entrar com carteira Ethereum
        </ButtonLink>
      </details>
    </div>
  );
}
