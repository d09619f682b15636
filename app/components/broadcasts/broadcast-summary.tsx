import { MessageFilesView } from "#app/components/messages/files/message-files-view.tsx";
import { MessageText } from "#app/components/messages/message-text.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import type { BadgeTone } from "#app/components/ui/badge.tsx";
import { peopleText, STATE_LABELS } from "#app/domain/broadcasts/rules.ts";
import type { BroadcastState } from "#app/domain/broadcasts/rules.ts";
import type { MessageFile } from "#app/domain/messages/schema.ts";
import { formatMoney } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";
import { nounFor } from "#app/domain/text.ts";

const TONES: Record<BroadcastState, BadgeTone> = {
  draft: "neutral",
  scheduled: "attention",
  sending: "attention",
  sent: "good",
  canceled: "neutral",
};

export function BroadcastStateBadge({ state }: { state: BroadcastState }) {
  return <Badge tone={TONES[state]}>{STATE_LABELS[state]}</Badge>;
}

/** A broadcast as a recipient with the given name reads it. */
export function BroadcastPreview({
  text,
  name,
  files,
  priceCents,
}: {
  text: string;
  name: string;
  files: MessageFile[];
  /** What the files cost each recipient (centavos); null for files that are not sold. */
  priceCents: Cents | null;
}) {
  return (
    <section aria-labelledby="previa" className="flex flex-col gap-2">
      <h2 id="previa" className="text-small font-semibold">
        Como {name} lê
      </h2>
      <div className="flex max-w-[80%] flex-col gap-1 rounded-card border border-line bg-card px-3.5 py-2">
        <MessageFilesView files={files} />
        {priceCents === null ? null : (
          <p className="text-caption text-muted">
            À venda por {formatMoney(priceCents)}: {name} só vê os arquivos depois de comprar.
          </p>
        )}
        <MessageText text={text} />
      </div>
    </section>
  );
}

type ProgressProps = { recipientCount: number; deliveredCount: number; skippedCount: number };

/** How far a running broadcast is. */
export function BroadcastProgress({ recipientCount, deliveredCount, skippedCount }: ProgressProps) {
  const handled = deliveredCount + skippedCount;
  return (
    <div className="flex flex-col gap-2">
      <progress
        aria-label="Mensagens enviadas"
        value={handled}
        max={Math.max(recipientCount, 1)}
        className="h-3 w-full accent-leaf"
      />
      <p className="text-small text-muted tabular-nums">
        {peopleText(handled)} de {recipientCount.toLocaleString("pt-BR")}
      </p>
    </div>
  );
}

type StatisticsProps = {
  deliveredCount: number;
  skippedCount: number;
  openedCount: number;
  answeredCount: number;
  /** Who bought its files, and what they paid; null for files that are not sold. */
  bought: { count: number; amountCents: Cents } | null;
};

/** What became of a broadcast: how many got, opened, answered and bought it. */
export function BroadcastStatisticsList({
  deliveredCount,
  skippedCount,
  openedCount,
  answeredCount,
  bought,
}: StatisticsProps) {
  const figures = [
    { label: "Entregues", count: deliveredCount, share: null },
    { label: "Abriram", count: openedCount, share: shareText(openedCount, deliveredCount) },
    { label: "Responderam", count: answeredCount, share: shareText(answeredCount, deliveredCount) },
    ...(bought
      ? [{ label: "Compraram", count: bought.count, share: formatMoney(bought.amountCents) }]
      : []),
  ];
  return (
    <div className="flex flex-col gap-3">
      <dl className={bought ? "grid grid-cols-2 gap-3 sm:grid-cols-4" : "grid grid-cols-3 gap-3"}>
        {figures.map(({ label, count, share }) => (
          <div key={label}>
            <dt className="text-small text-muted">{label}</dt>
            <dd className="text-title tabular-nums">{count.toLocaleString("pt-BR")}</dd>
            {share === null ? null : <dd className="text-small text-muted">{share}</dd>}
          </div>
        ))}
      </dl>
      {skippedCount === 0 ? null : (
        <p className="text-small text-muted">
          {peopleText(skippedCount)} não {nounFor(skippedCount, "recebeu", "receberam")}: houve um
          bloqueio, ou a conta foi fechada depois do começo do envio.
        </p>
      )}
    </div>
  );
}

function shareText(part: number, whole: number): string | null {
  return whole === 0 ? null : `${Math.round((part / whole) * 100)}%`;
}
