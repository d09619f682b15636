import { Badge } from "#app/components/ui/badge.tsx";
import type { BadgeTone } from "#app/components/ui/badge.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import type { PayoutStatus } from "#app/domain/payouts/schema.ts";
import { formatDay, formatMinute } from "#app/domain/time.ts";

type PayoutView = {
  id: string;
  status: PayoutStatus;
  label: string;
  amountCents: number;
  pixKeyMasked: string;
  requestedAt: number;
  settledAt: number | null;
  requestedByName: string | null;
};

const TONES: Record<PayoutStatus, BadgeTone> = {
  requested: "attention",
  held: "attention",
  claimed: "attention",
  sent: "attention",
  paid: "good",
  failed: "refusal",
  returned: "refusal",
  canceled: "neutral",
};

const AFTER: Partial<Record<PayoutStatus, string>> = {
  failed: "O banco não aceitou. O valor voltou para o disponível.",
  returned: "O banco devolveu. O valor voltou para o disponível.",
  canceled: "Não havia mais saldo disponível.",
  held: "Fica esperando a conferência dos documentos ou da chave.",
};

/** Every payout and how far it got, newest first. */
export function PayoutList({ payouts }: { payouts: PayoutView[] }) {
  return (
    <Card className="p-0">
      <ul className="divide-y divide-line">
        {payouts.map((payout) => (
          <li key={payout.id} className="flex items-start justify-between gap-4 px-5 py-4">
            <div className="min-w-0 wrap-anywhere">
              <p className="font-semibold">{payout.amountCents > 0 ? <Money cents={payout.amountCents} /> : "Tudo o que estiver disponível"}</p>
              <p className="text-small text-muted">
                Pedido em {formatMinute(payout.requestedAt)}
                {payout.requestedByName === null ? "" : ` por ${payout.requestedByName}`} · chave {payout.pixKeyMasked}
              </p>
              {AFTER[payout.status] ? <p className="text-small text-muted">{AFTER[payout.status]}</p> : null}
            </div>
            <div className="flex shrink-0 flex-col items-end gap-1">
              <Badge tone={TONES[payout.status]}>{payout.label}</Badge>
              {payout.settledAt ? <span className="text-caption text-muted">{formatDay(payout.settledAt)}</span> : null}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
