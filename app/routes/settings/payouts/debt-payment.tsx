import { useCallback } from "react";
import { data, redirect, useNavigation, useRevalidator } from "react-router";
import { PixPending } from "#app/components/checkout/pix/pix-pending.tsx";
import { unpaidText } from "#app/components/checkout/charge/unpaid-text.ts";
import { useChargeStatus } from "#app/components/checkout/charge/use-charge-status.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { formatMoney } from "#app/domain/money.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { checkoutCharge } from "#app/domain/payments/charges/queries/checkout.server.ts";
import { chargeTopic, isRefundable, isAwaitingPayment } from "#app/domain/payments/rules.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { checkPayment } from "#app/domain/purchases/checkout/commands/payer-requests.server.ts";
import { ChargeRefreshRateLimited } from "#app/domain/purchases/errors.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { listensUntil, pixShown } from "#app/routes/checkout/pix-view.server.ts";
import type { Route } from "./+types/debt-payment.ts";

const NOT_FOUND = "Não encontramos este pagamento.";

export const meta: Route.MetaFunction = () => [{ title: "Quitar com Pix · Coreto" }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const charge = foundOr404(await debtCharge(context, params.chargeId), NOT_FOUND);
  const { id, status, amountCents, description, pixCode, expiresAt, createdAt } = charge;
  if (isRefundable(status))
    throw await redirectWithToast(request, "/settings/transfers", {
      kind: "success",
      message: `Recebemos o seu Pix de ${formatMoney(amountCents)}.`,
    });
  const isShown = status === "awaiting_payment" && pixCode !== null && expiresAt !== null;
  const waits = isAwaitingPayment(status);
  return {
    id,
    status,
    waits,
    amountCents,
    description,
    listenAt: waits ? await ctx.live.address(chargeTopic(id), listensUntil(ctx.realNow())) : null,
    pix: isShown ? pixShown({ pixCode, expiresAt, createdAt }, ctx.now()) : null,
    ended: endedText(status),
  };
}

/** Handles "Já paguei": asks the provider for the charge now and shows its answer. */
export async function action({ params, context }: Route.ActionArgs) {
  const charge = foundOr404(await debtCharge(context, params.chargeId), NOT_FOUND);
  try {
    const status = await checkPayment(context.get(domainContext), {
      memberId: context.get(memberContext).id,
      chargeId: charge.id,
    });
    if (!isAwaitingPayment(status)) return redirect(`/settings/transfers/debt/${charge.id}`, 303);
  } catch (error) {
    if (error instanceof ChargeRefreshRateLimited)
      return data({ answer: error.message }, { status: 429 });
    if (!(error instanceof ProviderUnclear)) throw error;
    return data(
      { answer: "O banco não respondeu agora. Seguimos perguntando; tente de novo em um minuto." },
      { status: 503 },
    );
  }
  return data({
    answer: "Perguntamos ao banco: o pagamento ainda não chegou. Costuma levar poucos segundos.",
  });
}

/** Formats the final status of a Pix code that nobody can pay any more. */
const endedText = (status: ChargeStatus): string =>
  ENDED[status] ??
  unpaidText({ status: status === "canceled" ? status : "expired", method: "pix" }).text;

/** Loads a charge that pays the member's own debt. Null for any other person or charge. */
async function debtCharge(context: Route.LoaderArgs["context"], chargeId: string) {
  const charge = await checkoutCharge(context.get(domainContext), {
    memberId: context.get(memberContext).id,
    chargeId,
  });
  return charge?.isDebt ? charge : null;
}

export default function DebtPayment({ loaderData: charge, actionData }: Route.ComponentProps) {
  const { revalidate } = useRevalidator();
  const onEnd = useCallback(() => void revalidate(), [revalidate]);
  const isAsking = useNavigation().state !== "idle";
  useChargeStatus({
    statusPath: `/checkout/${charge.id}/status`,
    status: charge.status,
    isWaiting: charge.waits,
    listenAt: charge.listenAt,
  });
  return (
    <>
      {charge.waits ? (
        <noscript>
          <meta httpEquiv="refresh" content="5" />
        </noscript>
      ) : null}
      <PageHeader
        title="Quitar com Pix"
        lead="O que você paga sai do valor a descontar na hora. Se ele diminuir antes, por causa de uma venda, o que sobrar fica no seu saldo."
      />
      <div aria-live="polite" className="flex flex-col gap-5">
        {charge.pix ? (
          <PixPending
            {...charge.pix}
            shareUrl={null}
            automatic={null}
            amountCents={charge.amountCents}
            description={charge.description}
            answer={actionData?.answer ?? null}
            isAsking={isAsking}
            onEnd={onEnd}
          />
        ) : charge.waits ? (
          <p role="status">Estamos confirmando com o banco. Esta página muda sozinha.</p>
        ) : (
          <p role="status" className="rounded-card bg-attention-soft p-4">
            {charge.ended}
          </p>
        )}
      </div>
      <ButtonLink to="/settings/transfers/debt" variant="ghost" className="-ml-5 self-start">
        Voltar para o valor a descontar
      </ButtonLink>
    </>
  );
}

const ENDED: Partial<Record<ChargeStatus, string>> = {
  failed: "O banco recusou este Pix, e nada foi cobrado. Você pode gerar outro código.",
  refunded: "O banco devolveu este Pix, e o valor voltou a ser descontado.",
  disputed:
    "Este Pix está em contestação no banco, e o valor voltou a ser descontado enquanto isso.",
  dispute_lost: "O banco devolveu este Pix numa contestação, e o valor voltou a ser descontado.",
};
