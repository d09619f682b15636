import { counted, nounFor } from "#app/domain/text.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { intervalLabel } from "#app/domain/plans/rules/intervals.ts";
import type { PlanPrice } from "#app/domain/plans/schema.ts";
import type { PriceChangeStatus } from "#app/domain/subscriptions/price-changes/queries/price-changes.server.ts";
import { formatDay } from "#app/domain/time.ts";

type AskedPrice = { price: PlanPrice; status: PriceChangeStatus };

const people = (count: number) => counted(count, "assinante paga", "assinantes pagam");

/** Subscribers who pay another price than the current one, and the progress of a price change. */
export function PriceChangeCard({ planId, prices }: { planId: string; prices: AskedPrice[] }) {
  if (prices.length === 0) return null;
  return (
    <Card className="mt-4 flex flex-col gap-5 p-5 sm:p-6">
      <h2 className="text-body font-semibold">Quem já assina</h2>
      {prices.map(({ price, status: { olderCount, ask } }) => (
        <section key={price.id} className="flex flex-col items-start gap-3">
          {ask ? (
            <>
              <p>
                Você pediu <Money cents={ask.amountCents} /> {intervalLabel(price.interval)} a quem
                pagava outro preço, a partir de {formatDay(ask.takesEffectAt)}.
              </p>
              <p className="font-semibold">{priceAnswersText(ask)}</p>
              <p className="text-small text-muted">
                Quem não responde continua com o preço de antes. Mudar o preço outra vez, ou
                arquivar o plano, retira o pedido.
              </p>
            </>
          ) : (
            <>
              <p>
                {people(olderCount)} outro preço {intervalLabel(price.interval)}. O de agora é{" "}
                <Money cents={price.amountCents} />, e só muda para quem já assina se aceitar.
              </p>
              <ButtonLink to={`/plan/${planId}/price/${price.id}`} variant="outline">
                {nounFor(
                  olderCount,
                  "Pedir ao assinante atual",
                  `Pedir aos ${counted(olderCount, "assinante atual", "assinantes atuais")}`,
                )}
              </ButtonLink>
            </>
          )}
        </section>
      ))}
    </Card>
  );
}

/** Answers to a price change: "12 aceitaram · 3 mantiveram · 20 ainda não responderam". */
export function priceAnswersText({
  acceptedCount,
  declinedCount,
  askedCount,
  loweredCount,
  allNotifiedAt,
}: NonNullable<PriceChangeStatus["ask"]>): string {
  return [
    ...(acceptedCount + declinedCount + askedCount > 0
      ? [
          counted(acceptedCount, "aceitou", "aceitaram"),
          counted(declinedCount, "manteve", "mantiveram"),
          counted(askedCount, "ainda não respondeu", "ainda não responderam"),
        ]
      : []),
    ...(loweredCount > 0
      ? [counted(loweredCount, "passou a pagar menos", "passaram a pagar menos")]
      : []),
    ...(allNotifiedAt === null ? ["ainda avisando"] : []),
  ].join(" · ");
}
