import { counted } from "#app/domain/text.ts";
import { CreditCard, QrCode } from "lucide-react";
import { Form, Link } from "react-router";
import type { ReactNode } from "react";
import { cardLabel } from "#app/domain/billing/rules/cards.ts";
import { methodLabel } from "#app/components/payments/charge-labels.ts";
import { DetailList } from "#app/components/payments/detail-list.tsx";
import { statementUrl } from "#app/components/payments/transaction-filters.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import {
  billingOverview,
  isCardPayable,
  UPCOMING_CHARGES_MAX,
} from "#app/domain/billing/details/queries.server.ts";
import { formatTaxId } from "#app/domain/identity/tax-ids/rules.ts";
import {
  acquirerCardFieldUrl,
  acceptsSavedCards,
} from "#app/domain/payments/providers/rules/providers.ts";
import { intervalLabel } from "#app/domain/plans/rules/intervals.ts";
import {
  GRACE_DAYS,
  PIX_RENEWAL_LEAD_DAYS,
} from "#app/domain/subscriptions/renewals/rules/calendar.ts";
import { nextChargeAt } from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { formatDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/billing.ts";

export const meta: Route.MetaFunction = () => [{ title: "Pagamentos · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { upcoming, cards, details, monthlyCents, paidThisMonthCents } = await billingOverview(
    ctx,
    {
      personId: context.get(memberContext).id,
    },
  );
  return {
    upcoming,
    isMore: upcoming.length === UPCOMING_CHARGES_MAX,
    cards: cards.map((card) => ({ ...card, isPayable: isCardPayable(ctx, card) })),
    /** Whether a card can be saved without a payment. */
    keepsCards: acceptsSavedCards(ctx.payments) && acquirerCardFieldUrl(ctx.payments) !== null,
    monthlyCents,
    paidThisMonthCents,
    billedTo: details && { name: details.name, taxId: formatTaxId(details) },
  };
}

type Shown = Route.ComponentProps["loaderData"];

export default function Billing({ loaderData }: Route.ComponentProps) {
  const { upcoming, cards, keepsCards, billedTo } = loaderData;
  return (
    <>
      <PageHeader title="Pagamentos">
        <ButtonLink to={statementUrl("paid", {})} variant="outline">
          Ver o que já paguei
        </ButtonLink>
      </PageHeader>
      <div className="flex flex-col gap-8">
        {upcoming.length === 0 ? (
          <EmptyState
            title="Nada para pagar"
            action={<ButtonLink to="/explore">Explorar</ButtonLink>}
          >
            Você não tem assinatura que renove.
          </EmptyState>
        ) : (
          <>
            <Monthly {...loaderData} />
            <Upcoming {...loaderData} />
          </>
        )}
        <Methods cards={cards} keepsCards={keepsCards} />
        <Section title="Dados de cobrança">
          <Card className="flex flex-wrap items-center justify-between gap-4 p-5 sm:p-6">
            <p className="min-w-0 wrap-anywhere">
              {billedTo
                ? `${billedTo.name}, ${billedTo.taxId}`
                : "Seus recibos saem só com o seu nome do perfil."}
            </p>
            <ButtonLink to="/settings/billing/details" variant="outline">
              {billedTo ? "Mudar" : "Completar"}
            </ButtonLink>
          </Card>
        </Section>
      </div>
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-heading">{title}</h2>
      {children}
    </section>
  );
}

function Monthly({ monthlyCents, paidThisMonthCents }: Shown) {
  return (
    <Card as="section" label="Quanto apoio por mês" className="flex flex-col gap-1 p-5 sm:p-6">
      <p className="text-muted">Quanto apoio por mês</p>
      <Money cents={monthlyCents} size="display" />
      <p className="text-small text-muted">
        Planos de outros períodos entram divididos pelos meses, e dias grátis não entram. Neste mês
        você pagou <Money cents={paidThisMonthCents} />.
      </p>
    </Card>
  );
}

function Upcoming({ upcoming, isMore }: Shown) {
  return (
    <Section title="Próximas cobranças">
      <Card className="p-5 sm:p-6">
        <DetailList
          details={upcoming.map((charge) => ({
            label: `${charge.planName}, de ${charge.creatorName}`,
            value: (
              <Link
                to={`/settings/subscriptions/${charge.id}`}
                className="inline-flex min-h-11 flex-col justify-center no-underline"
              >
                <span className="underline underline-offset-4">
                  <Money cents={charge.amountCents} />{" "}
                  {charge.amountCents === charge.priceCents
                    ? intervalLabel(charge.interval)
                    : "com o cupom"}
                </span>
                <span className="text-small font-normal text-muted">{whenOf(charge)}</span>
              </Link>
            ),
          }))}
        />
      </Card>
      {isMore ? (
        <ButtonLink to="/settings/subscriptions" variant="ghost" className="-ml-5 self-start">
          Ver todas as assinaturas
        </ButtonLink>
      ) : null}
    </Section>
  );
}

function whenOf({
  status,
  dueAt,
  accessUntil,
  method,
  recurringPixId,
}: Shown["upcoming"][number]): string {
  if (status === "past_due")
    return `Em atraso · acesso até ${accessUntil === null ? "breve" : formatDay(accessUntil)}`;
  return `${dueAt === null ? "Em breve" : formatDay(nextChargeAt(dueAt, { recurringPixId }))} · ${methodLabel(method, recurringPixId)}`;
}

function Methods({ cards, keepsCards }: Pick<Shown, "cards" | "keepsCards">) {
  return (
    <Section title="Formas de pagamento">
      <Card className="p-0">
        <ul className="divide-y divide-line">
          <li className="flex items-start gap-4 px-5 py-4">
            <QrCode aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" />
            <div>
              <p className="font-semibold">Pix</p>
              <p className="text-small text-muted">
                Um código por cobrança, {PIX_RENEWAL_LEAD_DAYS} dias antes. Nada sai da sua conta
                sozinho, e você tem {GRACE_DAYS} dias de tolerância.
              </p>
            </div>
          </li>
          {cards.map((card) => (
            <li key={card.id} className="flex flex-wrap items-start gap-4 px-5 py-4">
              <CreditCard aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" />
              <div className="min-w-0 flex-1 basis-48">
                <p className="flex flex-wrap items-center gap-2 font-semibold">
                  {cardLabel(card)} {card.isDefault ? <Badge tone="good">Principal</Badge> : null}
                </p>
                <p className="text-small text-muted">
                  {card.isPayable ? renewsText(card.renews) : notPayableText(card.renews)}
                </p>
              </div>
              <div className="flex flex-wrap gap-2">
                {card.isDefault || !card.isPayable || cards.length === 1 ? null : (
                  <Form method="post" action={`/settings/billing/methods/${card.id}/default`}>
                    <Button
                      variant="outline"
                      size="sm"
                      aria-label={`Tornar principal: ${cardLabel(card)}`}
                    >
                      Tornar principal
                    </Button>
                  </Form>
                )}
                <ButtonLink
                  to={`/settings/billing/methods/${card.id}/removal`}
                  variant="ghost"
                  size="sm"
                  aria-label={`Remover: ${cardLabel(card)}`}
                >
                  Remover
                </ButtonLink>
              </div>
            </li>
          ))}
        </ul>
      </Card>
      {keepsCards ? (
        <ButtonLink to="/settings/billing/methods/create" variant="outline" className="self-start">
          Adicionar cartão
        </ButtonLink>
      ) : null}
      <p className="text-small text-muted">
        Um cartão entra aqui também quando você assina com ele. O número fica só com quem processa o
        pagamento.
      </p>
    </Section>
  );
}

function renewsText(renews: number): string {
  if (renews === 0) return "Nenhuma assinatura renova por ele.";
  return `Renova ${counted(renews, "assinatura", "assinaturas")}.`;
}

/** Explains that the acquirer of new cards is not the provider that saved this card. */
function notPayableText(renews: number): string {
  return renews === 0
    ? "Não paga mais aqui. Você pode remover."
    : "Não paga mais aqui. Troque a forma de pagamento do que renova por ele.";
}
