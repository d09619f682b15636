import { SavedCardConfirmation } from "#app/components/checkout/card/confirm-card.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { settleSavedCard } from "#app/domain/billing/saved-methods/commands/save-card.server.ts";
import type { SaveCardOutcome } from "#app/domain/billing/saved-methods/commands/save-card.server.ts";
import { domainContext, memberContext, didWriteContext } from "#app/http/contexts.ts";
import { refusalOf } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/billing-method-confirmation.ts";

const BILLING = "/settings/billing";

export const meta: Route.MetaFunction = () => [{ title: "Confirmar o cartão · Coreto" }];

/**
 * Handles the wait for the bank's confirmation of a card, and the return from the bank. Asks the
 * provider on each visit and redirects once the status is known.
 */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  context.set(didWriteContext, true);
  const settledCard = await settled();
  if (settledCard.kind === "kept")
    throw await redirectWithToast(request, BILLING, {
      kind: "success",
      message: "Pronto: o cartão está guardado.",
    });
  return { nextActionUrl: settledCard.kind === "confirm" ? settledCard.nextActionUrl : null };

  async function settled(): Promise<SaveCardOutcome> {
    try {
      return await settleSavedCard(context.get(domainContext), {
        personId: context.get(memberContext).id,
        attemptId: params.attemptId,
      });
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      throw await redirectWithToast(request, BILLING, { kind: "error", message: refusal.message });
    }
  }
}

export default function BillingMethodConfirmation({
  loaderData: { nextActionUrl },
}: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Confirme o cartão no banco" lead="Nada é cobrado." />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <SavedCardConfirmation
          method="get"
          nextActionUrl={nextActionUrl}
          problem={null}
          text={
            nextActionUrl === null
              ? "O banco ainda não respondeu. Se ele aceitar, o cartão aparece nos seus pagamentos."
              : "O banco do cartão pede a sua confirmação, e ela ainda não chegou. O cartão fica guardado assim que você confirmar."
          }
        />
        <ButtonLink to={BILLING} variant="ghost" className="-ml-5 self-start">
          Voltar para os pagamentos
        </ButtonLink>
      </Card>
    </>
  );
}
