import { refundReasonLabel } from "./charge-labels.ts";
import { Money } from "#app/components/ui/money.tsx";
import type {
  PaymentEvent,
  PaymentEventKind,
} from "#app/domain/billing/statements/rules/timeline.ts";
import { formatDay, formatMinute } from "#app/domain/time.ts";

const TEXTS: Record<PaymentEventKind, string> = {
  created: "Pagamento iniciado",
  waiting: "Esperando o pagamento",
  failed: "Recusado",
  expired: "O prazo para pagar acabou",
  canceled: "Cancelado",
  succeeded: "Pagamento confirmado",
  refund_requested: "Devolução pedida",
  refund_succeeded: "Devolvido",
  refund_failed: "A devolução não passou; estamos vendo",
  refund_awaits_key: "Devolução por Pix: esperando a chave de quem pagou",
  refund_sending: "Devolução por Pix a caminho",
  refund_key_failed: "O Pix da devolução não chegou à chave",
  refund_by_bank: "Devolvido pelo banco",
  dispute_opened: "Contestado no banco",
  dispute_won: "Contestação vencida: o pagamento ficou",
  dispute_lost: "Contestação perdida: o dinheiro voltou a quem pagou",
  released: "Liberado para saque",
  to_release: "Fica livre para saque",
};

const TONES: Partial<Record<PaymentEventKind, string>> = {
  succeeded: "bg-leaf",
  released: "bg-leaf",
  dispute_won: "bg-leaf",
  failed: "bg-refusal",
  refund_failed: "bg-refusal",
  refund_key_failed: "bg-refusal",
  dispute_opened: "bg-refusal",
  dispute_lost: "bg-refusal",
};

const OPEN_RINGS: ReadonlySet<PaymentEventKind> = new Set([
  "to_release",
  "waiting",
  "refund_awaits_key",
  "refund_sending",
]);

/** Events of a payment, oldest first; future ones have an open ring. */
export function Timeline({ moments }: { moments: PaymentEvent[] }) {
  return (
    <ol className="flex flex-col">
      {moments.map((moment, position) => (
        <li
          key={`${moment.kind}-${moment.at}-${position}`}
          className="relative flex gap-4 pb-5 last:pb-0"
        >
          {position < moments.length - 1 ? (
            <span aria-hidden="true" className="absolute top-4 bottom-0 left-[5px] w-0.5 bg-line" />
          ) : null}
          <span
            aria-hidden="true"
            className={`relative mt-1.5 size-3 shrink-0 rounded-full ${OPEN_RINGS.has(moment.kind) ? "border-2 border-edge bg-card" : (TONES[moment.kind] ?? "bg-edge")}`}
          />
          <span className="flex min-w-0 flex-col wrap-anywhere">
            <span className="font-semibold">
              {TEXTS[moment.kind]}
              {moment.cents === null ? null : (
                <>
                  {" · "}
                  <Money cents={moment.cents} />
                </>
              )}
            </span>
            {moment.note ? (
              <span className="text-small">{refundReasonLabel(moment.note)}</span>
            ) : null}
            <span className="text-small text-muted">
              {moment.kind === "to_release" ? formatDay(moment.at) : formatMinute(moment.at)}
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}
