import { settleKeptCard } from "#app/domain/billing/commands/keep-card.server.ts";
import { domainContext, memberContext, wroteContext } from "#app/http/contexts.ts";
import { refusalOf } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/billing-method-confirmation.ts";

const BILLING = "/settings/billing";

/** Where the bank of a card sends its owner back; what it answered is asked of the provider, and the way goes on. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  context.set(wroteContext, true);
  try {
    const { kind } = await settleKeptCard(context.get(domainContext), { personId: context.get(memberContext).id, attemptId: params.attemptId });
    if (kind === "kept") throw await redirectWithToast(request, BILLING, { kind: "success", message: "Pronto: o cartão está guardado." });
    throw await redirectWithToast(request, BILLING, { kind: "info", message: "O seu banco ainda não confirmou. Se ele aceitar, o cartão aparece aqui." });
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    throw await redirectWithToast(request, BILLING, { kind: "error", message: refusal.message });
  }
}
