import { Form } from "react-router";
import { RefreshPaymentButton } from "./refresh-button.tsx";
import { BenefitList } from "#app/components/plans/benefit-list.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Bandeirinhas } from "#app/components/ui/brand/bandeirinhas.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { formatMoney } from "#app/domain/money.ts";
import { quoted } from "#app/domain/text.ts";
import { formatDay } from "#app/domain/time.ts";
import type { PaymentAccess } from "#app/domain/subscriptions/history/rules.ts";
import { methodTexts } from "#app/components/payments/method-words.ts";
import { refundReasonLabel, refundTransferLabel } from "#app/components/payments/charge-labels.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import type { CheckoutRefundTransfer } from "#app/domain/payments/charges/queries/checkout-columns.server.ts";
import { takesCardDetails } from "#app/domain/payments/methods/rules.ts";

type PaidCardProps = {
  planName: string | null;
  benefits: string[];
  creatorName: string;
  creatorUsername: string;
  creatorPath: string;
  /** When an upcoming subscription starts; null for everything else. */
  beginsAt?: number | null;
  /** Current access of the subscription that it pays for; null for one-time purchases. */
  paid: PaymentAccess | null;
  /** The post whose button led to this checkout, if the payer can open it now. */
  soldBy?: { path: string; title: string } | null;
  /** The post to begin with, for a new subscriber who came from none. */
  firstPost?: { path: string; title: string } | null;
  /** What the creator wrote to new subscribers; empty for nothing. */
  welcomeMessage?: string;
};

/** Card of a paid charge: lights a row of flags and shows what the payer may now see. */
export function PaidCard({
  planName,
  benefits,
  creatorName,
  creatorUsername,
  creatorPath,
  beginsAt = null,
  paid,
  soldBy = null,
  firstPost = null,
  welcomeMessage = "",
}: PaidCardProps) {
  const post = soldBy ?? firstPost;
  const isShut = paid?.kind === "paused" || paid?.kind === "over";
  return (
    <Card className="overflow-hidden">
      <Bandeirinhas
        seed={creatorUsername}
        columns={14}
        rows={1}
        lit={!isShut}
        className="h-12 w-full"
      />
      <div className="flex flex-col items-start gap-4 p-6">
        <p role="status">{paidText({ planName, creatorName, beginsAt, paid })}</p>
        {isShut ? null : <BenefitList benefits={benefits} />}
        {isShut || welcomeMessage === "" ? null : (
          <figure className="w-full rounded-field bg-sand px-5 py-4">
            <blockquote className="whitespace-pre-line wrap-anywhere">{welcomeMessage}</blockquote>
            <figcaption className="pt-2 text-small font-semibold">{creatorName}</figcaption>
          </figure>
        )}
        <div className="flex flex-wrap gap-2">
          {post ? (
            <ButtonLink to={post.path} size="lg" className="max-w-full py-1.5 text-balance">
              {soldBy ? "Ver" : "Começar por"} {quoted(post.title)}
            </ButtonLink>
          ) : null}
          <ButtonLink to={creatorPath} size="lg" variant={post ? "outline" : "primary"}>
            Ver a página de {creatorName}
          </ButtonLink>
          <ButtonLink to="/settings/subscriptions" size="lg" variant="outline">
            Minhas assinaturas
          </ButtonLink>
        </div>
      </div>
    </Card>
  );
}

function paidText({
  planName,
  creatorName,
  beginsAt,
  paid,
}: Pick<PaidCardProps, "planName" | "creatorName" | "beginsAt" | "paid">): string {
  if (!planName) return `O pagamento para ${creatorName} foi confirmado.`;
  if (paid?.kind === "paused")
    return `Este pagamento foi confirmado. A sua assinatura ${planName} está pausada, e tudo abre de novo quando ela voltar.`;
  if (paid?.kind === "over")
    return `Este pagamento foi confirmado, e a assinatura ${planName} já terminou.`;
  if (beginsAt)
    return `O que você ganhou vale até ${formatDay(beginsAt)}, e a sua assinatura ${planName} segue dali.`;
  const open = `Tudo do ${planName} já está aberto para você.`;
  return paid?.kind === "ending" && paid.until !== null
    ? `${open} A assinatura está cancelada: vai até ${formatDay(paid.until)}, e nada mais é cobrado.`
    : open;
}

type AgainCardProps = {
  text: string;
  label: string;
  method: PaymentMethod;
  /**
   * Checkout to try again: its path and the fields that one tap sends. `fields` is null once the
   * offer has changed.
   */
  again: { path: string; fields: Record<string, string> | null; label?: string } | null;
  creatorPath: string;
  creatorName: string;
};

/** Card of an unpaid charge: the reason, and a one-tap retry. */
export function RetryPaymentCard({
  text,
  label,
  method,
  again,
  creatorPath,
  creatorName,
}: AgainCardProps) {
  return (
    <Card className="flex flex-col items-start gap-4 p-6">
      <p role="status">{text}</p>
      {again ? (
        <div className="flex flex-wrap gap-2">
          {!takesCardDetails(method) && again.fields ? (
            <Form method="post" action={again.path}>
              {Object.entries(again.fields).map(([name, value]) => (
                <input key={name} type="hidden" name={name} value={value} />
              ))}
              <Button size="lg">{label}</Button>
            </Form>
          ) : (
            <ButtonLink size="lg" to={again.path}>
              {again.label ?? label}
            </ButtonLink>
          )}
          {again.label ? null : (
            <ButtonLink size="lg" variant="outline" to={again.path}>
              Escolher outra forma
            </ButtonLink>
          )}
        </div>
      ) : (
        <ButtonLink size="lg" variant="outline" to={creatorPath}>
          Ver a página de {creatorName}
        </ButtonLink>
      )}
    </Card>
  );
}

/** Card of an open charge whose purchase another charge has already paid. */
export function AlreadyBoughtCard({ path }: { path: string }) {
  return (
    <Card className="flex flex-col items-start gap-4 p-6">
      <p role="status" className="font-semibold">
        Você já comprou isto por outro pagamento: não precisa pagar este.
      </p>
      <ButtonLink to={path} size="lg">
        Ver o que comprei
      </ButtonLink>
    </Card>
  );
}

/** Card of a paid charge whose purchase was undone and whose refund is pending. */
export function RefundPendingCard({
  reason,
  isRefused,
}: {
  reason: string | null;
  isRefused: boolean;
}) {
  return (
    <Card className="flex flex-col items-start gap-4 p-6">
      <p role="status">{refundReasonLabel(reason)}</p>
      <p className="text-muted">
        {isRefused
          ? "O provedor de pagamento não aceitou a devolução agora. O dinheiro é seu: nossa equipe já foi avisada e vai devolver."
          : "O dinheiro já está a caminho, pela mesma forma em que você pagou."}
      </p>
      <ButtonLink to="/settings/transactions" variant="outline">
        Ver no extrato
      </ButtonLink>
    </Card>
  );
}

/**
 * Card of a card charge that needs the payer on the provider's page. The payer types the card
 * there, or confirms it for the bank (3DS); only the provider knows which. It also shows after the
 * payer closed that page. A renewal uses a saved card, so only the bank's confirmation is missing.
 */
export function ChargeConfirmationCard({
  chargeId,
  isRenewal,
  answer,
  isAsking,
}: {
  chargeId: string;
  isRenewal: boolean;
  answer: string | null;
  isAsking: boolean;
}) {
  return (
    <Card className="flex flex-col items-start gap-4 p-6">
      <p role="status">
        {answer ??
          (isRenewal
            ? "O banco quer confirmar que é você, na página dele. Se você já confirmou, é só esperar: esta página muda sozinha em segundos."
            : "Nada foi cobrado ainda. O pagamento com cartão termina na página de quem o processa. Se você já terminou lá, é só esperar: esta página muda sozinha em segundos.")}
      </p>
      <div className="flex flex-wrap gap-2">
        <a
          href={`/checkout/${chargeId}/confirmation`}
          className="inline-flex min-h-12 items-center rounded-full bg-signal px-7 font-semibold text-on-signal hover:bg-signal-strong"
        >
          {isRenewal ? "Confirmar no banco" : "Terminar o pagamento"}
        </a>
        <Form method="post">
          <RefreshPaymentButton size="lg" isAsking={isAsking}>
            {isRenewal ? "Já confirmei" : "Já terminei"}
          </RefreshPaymentButton>
        </Form>
      </div>
    </Card>
  );
}

export function DisputedCard({
  isLost,
  hasEnded,
  disputedCents,
  amountCents,
}: {
  isLost: boolean;
  hasEnded: boolean;
  disputedCents: number;
  amountCents: number;
}) {
  return (
    <Card className="p-6">
      <p role="status">
        {isLost
          ? `Este pagamento foi contestado, e o banco devolveu o dinheiro.${hasEnded ? " O acesso terminou." : ""}`
          : disputedCents < amountCents
            ? `${formatMoney(disputedCents)} deste pagamento de ${formatMoney(amountCents)} foram contestados no banco. Até ele decidir, o acesso continua; só termina se tudo voltar para quem pagou.`
            : "Este pagamento foi contestado no banco. Até ele decidir, o acesso continua; se o dinheiro voltar para quem pagou, o acesso termina."}
      </p>
    </Card>
  );
}

export function ProcessingCard() {
  return (
    <Card className="flex flex-col gap-1 p-6">
      <p role="status" className="font-semibold">
        O banco ainda está respondendo
      </p>
      <p className="text-muted">
        Não pague de novo. Esta página muda sozinha; se você sair, o resultado fica em Ajustes,
        Extrato.
      </p>
    </Card>
  );
}

type Refunded = {
  id: string;
  method: PaymentMethod;
  reason: string | null;
  refundedCents: number;
  transfer: CheckoutRefundTransfer | null;
  creatorPath: string;
  creatorName: string;
};

/** Card of a refunded charge. A refund transfer by Pix may still lack a refund key. */
export function RefundedCard({
  id,
  method,
  reason,
  refundedCents,
  transfer,
  creatorPath,
  creatorName,
}: Refunded) {
  const isAwaitingKey = transfer?.status === "awaiting_key";
  return (
    <Card className="flex flex-col items-start gap-4 p-6">
      <p role="status">{refundReasonLabel(reason)}</p>
      <p className={isAwaitingKey ? "" : "text-muted"}>
        {transfer
          ? refundTransferLabel(transfer)
          : `${refundedCents > 0 ? `${formatMoney(refundedCents)} voltam` : "O dinheiro volta"} ${methodTexts[method].refundedTo}.`}
      </p>
      <div className="flex flex-wrap gap-2">
        {transfer ? (
          <ButtonLink
            to={`/settings/transactions/${id}`}
            variant={isAwaitingKey ? "primary" : "outline"}
          >
            {isAwaitingKey ? "Informar a chave Pix" : "Ver no extrato"}
          </ButtonLink>
        ) : null}
        <ButtonLink to={creatorPath} variant={transfer ? "outline" : "primary"}>
          Ver a página de {creatorName}
        </ButtonLink>
      </div>
    </Card>
  );
}
