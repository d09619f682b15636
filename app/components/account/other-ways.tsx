import { Wallet } from "lucide-react";
import { ButtonLink } from "#app/components/ui/button.tsx";
import type { OutsideChoice } from "#app/domain/identity/schema/outside.ts";
import { OutsideButtons } from "./outside-buttons.tsx";

/** What opens an account beside password and passkey. */
export function OtherWays({ choices, to }: { choices: readonly OutsideChoice[]; to: string }) {
  return (
    <div className="mt-3 flex flex-col gap-3">
      <OutsideButtons choices={choices} to={to} />
      <ButtonLink
        to={to === "/" ? "/auth/wallet" : `/auth/wallet?to=${encodeURIComponent(to)}`}
        variant="outline"
        size="lg"
      >
        <Wallet aria-hidden="true" className="size-5" />
        Entrar com carteira Ethereum
      </ButtonLink>
    </div>
  );
}
