import { sideStatusLabel } from "./difference-labels.ts";
import { providerLabel } from "#app/components/ledger/provider-label.ts";
import { MoneyLink } from "#app/components/ui/links/money-link.tsx";
import type { ComparedObject, DifferenceSide } from "#app/domain/reconciliation/schema.ts";

type SidesProps = {
  object: ComparedObject;
  ours: DifferenceSide | null;
  theirs: DifferenceSide | null;
  provider: string;
  /** Path of our object under comparison. */
  to: string | null;
};

/** Both sides of a difference next to each other; says when one is missing. */
export function DifferenceSides({ object, ours, theirs, provider, to }: SidesProps) {
  return (
    <div className="grid gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-2">
      <OneSide title="Aqui" object={object} side={ours} to={to} />
      <OneSide
        title={`No provedor (${providerLabel(provider)})`}
        object={object}
        side={theirs}
        to={null}
      />
    </div>
  );
}

function OneSide({
  title,
  object,
  side,
  to,
}: {
  title: string;
  object: ComparedObject;
  side: DifferenceSide | null;
  to: string | null;
}) {
  return (
    <section aria-label={title} className="flex flex-col gap-1 bg-card p-5">
      <h3 className="text-small font-semibold text-muted">{title}</h3>
      {side ? (
        <>
          <SideAmount object={object} side={side} to={to} />
          <p>{sideStatusLabel(object, side.status)}</p>
          {side.backCents > 0 ? (
            <p className="text-small text-muted">
              Devolvido: <MoneyLink to={to} cents={side.backCents} isTotal={to === null} />
            </p>
          ) : null}
        </>
      ) : (
        <p className="text-muted">Não existe deste lado.</p>
      )}
    </section>
  );
}

/** Amount of a side. A mandate's amount is each debit's, which a coupon may vary. */
function SideAmount({
  object,
  side,
  to,
}: {
  object: ComparedObject;
  side: DifferenceSide;
  to: string | null;
}) {
  if (object !== "authorisation")
    return <MoneyLink to={to} cents={side.amountCents} size="large" isTotal={to === null} />;
  if (side.amountCents === 0)
    return <p className="font-display text-title font-bold">Valor variável</p>;
  return (
    <p>
      <MoneyLink to={to} cents={side.amountCents} size="large" isTotal={to === null} />{" "}
      <span className="text-small text-muted">a cada débito</span>
    </p>
  );
}
