import { StepFrame } from "#app/components/first-steps/step-frame.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { destinationLabel } from "#app/domain/payouts/destinations/rules/destinations.ts";
import { withdrawalMethodOfCreator } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { loadStep } from "./step.server.ts";
import type { Route } from "./+types/payout-method.ts";

export const handle = { shell: "wide" };

export const meta: Route.MetaFunction = () => [{ title: "Para onde vai o dinheiro · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const { steps, preview, profile } = await loadStep({ context });
  const method = await withdrawalMethodOfCreator(context.get(domainContext), {
    creatorId: profile.id,
  });
  return {
    steps,
    preview,
    destination: method && destinationLabel(method.pixKeyKind, method.pixKey),
  };
}

/** Where the money goes. The form is that of the settings, which ask for a password again. */
export default function PayoutMethodStep({ loaderData }: Route.ComponentProps) {
  const { destination, ...frame } = loaderData;
  return (
    <StepFrame step="payout_method" {...frame}>
      {destination ? (
        <>
          <p>O dinheiro vai para: {destination}.</p>
          <ButtonLink to="/settings/withdrawal-method" variant="outline" className="self-start">
            Trocar
          </ButtonLink>
        </>
      ) : (
        <>
          <p>
            O que você vende cai na sua conta toda semana. Diga o seu nome, o CPF e uma chave Pix: é
            o que a lei e o banco pedem.
          </p>
          <ButtonLink to="/settings/check-documents" size="lg" className="self-start">
            Cadastrar a chave Pix
          </ButtonLink>
        </>
      )}
    </StepFrame>
  );
}
