import { ButtonLink } from "#app/components/ui/button.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { intervalLabel } from "#app/domain/plans/rules/intervals.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import { periodsLabel } from "#app/domain/subscriptions/prepayments/rules.ts";
import { LINK_MARK } from "#app/lib/link-mark.ts";
import { formatDay } from "#app/domain/time.ts";

/** Several prepaid periods. */
export type Prepayment = {
  count: number;
  amountCents: number;
  /** Total without a coupon. */
  fullCents: number;
  /** Amount of the first payment after the prepaid periods. */
  nextCents: number;
  startsAt: number;
  endsAt: number;
};

type AheadLinksProps = {
  planId: string;
  interval: Interval;
  coupon: string | null;
  /** The creator's link that led here. */
  link: string | null;
  choices: { count: number; amountCents: number }[];
  chosen: Prepayment | null;
  /** A single period starts with a trial: nothing is paid now. */
  isFreeFirst: boolean;
};

/** Links "Pagar 1, 3, 6 ou 12 meses", each with its total before any payment. */
export function PrepayLinks({
  planId,
  interval,
  coupon,
  link,
  choices,
  chosen,
  isFreeFirst,
}: AheadLinksProps) {
  const address = (count: number) =>
    `/checkout?${new URLSearchParams({ plan: planId, interval, ...(coupon ? { coupon } : {}), ...(count === 1 ? {} : { periods: String(count) }), ...(link ? { [LINK_MARK]: link } : {}) }).toString()}`;
  const current = chosen?.count ?? 1;
  return (
    <nav aria-label="Quanto pagar agora" className="flex flex-col gap-2">
      <p className="text-small font-semibold">Quanto pagar agora</p>
      <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        {[1, ...choices.map(({ count }) => count)].map((count) => (
          <ButtonLink
            key={count}
            to={address(count)}
            replace
            preventScrollReset
            variant={count === current ? "ink" : "outline"}
            aria-current={count === current ? "true" : undefined}
          >
            {count === 1 && isFreeFirst ? "Começar grátis" : periodsLabel(count, interval)}
          </ButtonLink>
        ))}
      </div>
      {chosen ? (
        <p className="text-small text-muted">Nada mais é cobrado até {formatDay(chosen.endsAt)}.</p>
      ) : null}
    </nav>
  );
}

/** Prepaid time, and the next charge with its amount. */
export function PrepayNote({
  startsAt,
  endsAt,
  nextCents,
  interval,
}: Prepayment & { interval: Interval }) {
  return (
    <p className="text-small">
      Cobre de {formatDay(startsAt)} a {formatDay(endsAt)}. Depois, <Money cents={nextCents} />{" "}
      {intervalLabel(interval)}.
    </p>
  );
}
