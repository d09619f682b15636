import { Link } from "react-router";
import { EVIDENCE_LABELS } from "./dispute-labels.ts";
import type { EvidenceKind } from "#app/domain/payments/schema.ts";

export type EvidenceRow = { id: string; kind: EvidenceKind; name: string; sizeBytes: number };

const sizeText = (bytes: number) =>
  bytes < 1_048_576
    ? `${Math.max(1, Math.round(bytes / 1_024))} KB`
    : `${(bytes / 1_048_576).toLocaleString("pt-BR", { maximumFractionDigits: 1 })} MB`;

/**
 * Evidence files of an answer to a dispute, labelled by kind. `removable` while the answer may
 * still change.
 */
export function EvidenceFiles({
  disputeId,
  files,
  removable,
}: {
  disputeId: string;
  files: EvidenceRow[];
  removable: boolean;
}) {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {files.map((file) => (
        <li
          key={file.id}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3 first:pt-0 last:pb-0"
        >
          <span className="flex min-w-0 flex-col wrap-anywhere">
            <span className="font-semibold">{EVIDENCE_LABELS[file.kind]}</span>
            <a
              href={`/resources/disputes/${disputeId}/files/${file.id}`}
              className="inline-flex min-h-11 items-center text-small text-leaf underline underline-offset-4"
            >
              {file.name} ({sizeText(file.sizeBytes)})
            </a>
          </span>
          {removable ? (
            <Link
              to={`/settings/transactions/disputes/${disputeId}/evidence/${file.id}/removal`}
              className="inline-flex min-h-11 items-center text-small underline underline-offset-4"
            >
              Tirar<span className="sr-only"> {file.name}</span>
            </Link>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
