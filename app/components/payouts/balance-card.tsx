import type { ReactNode } from "react";
import { Link } from "react-router";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { MoneyLink } from "#app/components/ui/links/money-link.tsx";
import type { BalanceName } from "#app/domain/ledger/statements/rules/statement.ts";
import type { ReleaseDays } from "#app/domain/payouts/timeline/rules/release-days.ts";
import { formatDay, isoDay } from "#app/domain/time.ts";

type Balances = {
  availableCents: number;
  pendingCents: number;
  reservedCents: number;
  inTransitCents: number;
  owedCents: number;
  coming: ReleaseDays;
};

/** Balances of a creator: available, pending with release days, held, and in transit. */
export function BalanceCard({ balances, children }: { balances: Balances; children: ReactNode }) {
  const { availableCents, pendingCents, reservedCents, inTransitCents, owedCents, coming } =
    balances;
  return (
    <Card as="section" label="Saldo" className="flex flex-col gap-5 p-5 sm:p-6">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <p className="flex flex-col">
          <span className="text-muted">Disponível</span>
          <Entries of="available">
            <Money cents={availableCents} size="display" />
          </Entries>
        </p>
        {children}
      </div>
      <dl className="grid grid-cols-2 gap-4 border-t border-line pt-4 sm:grid-cols-3">
        <Figure label="A liberar" of="pending" cents={pendingCents} />
        <Figure
          label="Bloqueado"
          of="reserved"
          cents={reservedCents}
          more={
            reservedCents > 0
              ? { to: "/settings/transactions/disputes", label: "Ver contestações" }
              : null
          }
        />
        <Figure label="A caminho" of="in_transit" cents={inTransitCents} />
        {owedCents > 0 ? <Figure label="A descontar" of="owed" cents={owedCents} /> : null}
      </dl>
      {pendingCents > 0 ? <Coming {...coming} /> : null}
    </Card>
  );
}

/** Pending funds by release day; the lines add up to the balance. */
function Coming({ days, later, undatedCents }: ReleaseDays) {
  return (
    <details open>
      <summary className="flex min-h-11 items-center font-semibold text-leaf underline underline-offset-4">
        Quando o dinheiro fica livre
      </summary>
      <ul className="flex flex-col gap-1 pt-2 text-small">
        {days.map(({ releaseAt, netCents }) => (
          <ComingLine
            key={releaseAt}
            label={formatDay(releaseAt)}
            to={`dia=${isoDay(releaseAt)}`}
            cents={netCents}
          />
        ))}
        {later ? (
          <ComingLine
            label={`depois de ${formatDay(later.after)}`}
            to={`depois=${isoDay(later.after)}`}
            cents={later.netCents}
          />
        ) : null}
        {undatedCents > 0 ? (
          <ComingLine label="ainda sem data" to="sem-data" cents={undatedCents} />
        ) : null}
      </ul>
      <Link
        to="/settings/transfers/timeline"
        className="flex min-h-11 items-center text-small text-leaf underline underline-offset-4"
      >
        Ver cobrança por cobrança
      </Link>
    </details>
  );
}

function ComingLine({ label, to, cents }: { label: string; to: string; cents: number }) {
  return (
    <li className="flex justify-between gap-4">
      <span className="text-muted">{label}</span>
      <MoneyLink to={`/settings/transfers/releases?${to}`} cents={cents} />
    </li>
  );
}

/** Link from a figure to the entries behind it. */
function Entries({ of, children }: { of: BalanceName; children: ReactNode }) {
  return (
    <Link
      to={`/settings/transfers/entries?account=${of}`}
      className="underline decoration-line decoration-2 underline-offset-[6px] hover:decoration-leaf"
    >
      {children}
    </Link>
  );
}

type FigureProps = {
  label: string;
  of: BalanceName;
  cents: number;
  more?: { to: string; label: string } | null;
};

function Figure({ label, of, cents, more = null }: FigureProps) {
  return (
    <div>
      <dt className="text-small text-muted">{label}</dt>
      <dd>
        <Entries of={of}>
          <Money cents={cents} size="large" />
        </Entries>
        {more ? (
          <Link
            to={more.to}
            className="flex min-h-11 items-center text-small text-leaf underline underline-offset-4"
          >
            {more.label}
          </Link>
        ) : null}
      </dd>
    </div>
  );
}
