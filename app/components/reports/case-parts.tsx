import { Link } from "react-router";
import { Card } from "#app/components/ui/card.tsx";
import type { Evidence } from "#app/domain/moderation/reports/schema.ts";
import { EvidenceView } from "./evidence.tsx";

export type ReportLine = {
  id: string;
  reason: string;
  details: string;
  reporter: string;
  when: string;
  /** The subject as this report found it, if it had changed since the copy before. */
  copy: Evidence | null;
};
export type LogLine = { id: string; act: string; by: string; reason: string; when: string };
export type HistoryLine = { id: string; title: string; when: string; isReversed: boolean };

/** The subject when it was reported, beside how it is now. */
export function EvidencePair({
  before,
  beforeWhen,
  now,
  nowState,
}: {
  before: Evidence | null;
  beforeWhen: string;
  now: Evidence | null;
  nowState: string;
}) {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Card as="section" label="Como estava" className="flex min-w-0 flex-col gap-3 p-5">
        <h2 className="text-heading">Como estava</h2>
        <p className="text-small text-muted">Cópia da primeira denúncia, {beforeWhen}</p>
        <EvidenceView evidence={before} />
      </Card>
      <Card as="section" label="Como está agora" className="flex min-w-0 flex-col gap-3 p-5">
        <h2 className="text-heading">Como está agora</h2>
        <p className="text-small text-muted">{nowState}</p>
        {now === null ? (
          <p className="text-muted">Não existe mais.</p>
        ) : JSON.stringify(now) === JSON.stringify(before) ? (
          <p>Igual à cópia da primeira denúncia.</p>
        ) : (
          <EvidenceView evidence={now} />
        )}
      </Card>
    </div>
  );
}

/** Everyone who reported, with their words. */
export function ReportLines({ reports, total }: { reports: readonly ReportLine[]; total: number }) {
  return (
    <Card as="section" label="Denúncias deste caso" className="flex flex-col gap-3 p-5">
      <h2 className="text-heading">Denúncias deste caso</h2>
      <ul className="flex flex-col divide-y divide-line">
        {reports.map((report) => (
          <li key={report.id} className="flex flex-col gap-1 py-3 first:pt-0 last:pb-0">
            <span className="font-semibold">{report.reason}</span>
            <span className="text-small text-muted">
              {report.reporter} · {report.when}
            </span>
            {report.details ? (
              <p dir="auto" className="whitespace-pre-line wrap-anywhere">
                {report.details}
              </p>
            ) : null}
            {report.copy === null ? null : (
              <div className="mt-2 flex flex-col gap-2 rounded-field border border-line p-4">
                <p className="text-small text-muted">
                  O conteúdo tinha mudado. Cópia desta denúncia:
                </p>
                <EvidenceView evidence={report.copy} />
              </div>
            )}
          </li>
        ))}
      </ul>
      {total > reports.length ? (
        <p className="text-small text-muted">
          {reports.length} de {total}: primeiro as urgentes e as que trouxeram uma cópia, depois as
          mais antigas.
        </p>
      ) : null}
    </Card>
  );
}

/** Earlier decisions on the same author. */
export function AuthorHistory({ history }: { history: readonly HistoryLine[] }) {
  return (
    <Card as="section" label="Histórico desta pessoa" className="flex flex-col gap-3 p-5">
      <h2 className="text-heading">Histórico desta pessoa</h2>
      {history.length === 0 ? (
        <p className="text-muted">Nenhuma decisão anterior.</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {history.map((line) => (
            <li key={line.id} className="flex flex-wrap justify-between gap-x-4">
              <Link to={`/admin/reports/${line.id}`} className="underline underline-offset-4">
                {line.title}
              </Link>
              <span className="text-small text-muted">
                {line.isReversed ? "desfeita · " : ""}
                {line.when}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Every act of a moderator on the case, oldest first. */
export function CaseLog({ log }: { log: readonly LogLine[] }) {
  return (
    <Card as="section" label="Registro" className="flex flex-col gap-3 p-5">
      <h2 className="text-heading">Registro</h2>
      {log.length === 0 ? (
        <p className="text-muted">Ninguém agiu ainda.</p>
      ) : (
        <ol className="flex flex-col gap-3">
          {log.map((line) => (
            <li key={line.id} className="flex flex-col">
              <span className="font-semibold">{line.act}</span>
              <span className="text-small text-muted">
                {line.by} · {line.when}
              </span>
              {line.reason ? (
                <span className="whitespace-pre-line wrap-anywhere">{line.reason}</span>
              ) : null}
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
