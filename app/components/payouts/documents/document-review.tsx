import { Link } from "react-router";
import { DOCUMENT_STATUS_LABELS, documentViewLabel } from "./document-labels.ts";
import { Card } from "#app/components/ui/card.tsx";
import { DOCUMENT_FILE_LABELS } from "#app/domain/documents/schema/file-kinds.ts";
import type { Documents } from "#app/domain/documents/schema.ts";
import type { FileKind } from "#app/domain/documents/schema/file-kinds.ts";
import { formatMinute } from "#app/domain/time.ts";

type DocumentFileView = { kind: FileKind; createdAt: number; url: string };
export type ContestantView = Pick<
  Documents,
  "personId" | "status" | "sellerName" | "fullName" | "submittedAt" | "numberUntil"
> & {
  username: string;
  /** Version of the contest (`contestVersion`), which the decision names. */
  mark: string;
  files: DocumentFileView[];
};
type Other = Pick<Documents, "personId" | "status" | "sellerName"> & { isBanned: boolean };

/** Other accounts whose documents name the same CPF. */
export function SameCpfAccounts({ others }: { others: Other[] }) {
  if (others.length === 0) return null;
  return (
    <p className="text-small">
      Outras contas com o mesmo CPF:{" "}
      {others.map(({ personId, sellerName, status, isBanned }, index) => (
        <span key={personId}>
          {index > 0 ? ", " : ""}
          <Link
            to={`/admin/documents/${personId}`}
            className="text-leaf underline underline-offset-4"
          >
            {sellerName}
          </Link>{" "}
          ({isBanned ? "conta banida" : DOCUMENT_STATUS_LABELS[status].label.toLowerCase()})
        </span>
      ))}
    </p>
  );
}

function FileLinks({ files }: { files: DocumentFileView[] }) {
  if (files.length === 0) return null;
  return (
    <>
      <p className="text-small text-muted">
        Cada endereço abre por 5 minutos, só para você, e fica anotado.
      </p>
      <ul className="divide-y divide-line">
        {files.map(({ kind, createdAt, url }) => (
          <li key={kind} className="flex flex-wrap items-center justify-between gap-x-4 py-1">
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              className="inline-flex min-h-11 items-center text-leaf underline underline-offset-4"
            >
              Ver {DOCUMENT_FILE_LABELS[kind]}
            </a>
            <span className="text-small text-muted">{formatMinute(createdAt)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/**
 * Other accounts that claim the same tax id: the holder for a contestant, and contestants for the
 * holder.
 */
export function DocumentContestants({
  isContested,
  rivals,
}: {
  isContested: boolean;
  rivals: ContestantView[];
}) {
  if (rivals.length === 0) return null;
  return (
    <Card as="section" label="O outro lado" className="flex flex-col gap-3 p-5 sm:p-6">
      <h2 className="text-heading">O outro lado</h2>
      <p>
        {isContested
          ? "Esta conta diz que o número é dela, e ele está em outra. Até a decisão ela não vende."
          : "Outra conta diz que o número desta é dela."}
      </p>
      <ul className="divide-y divide-line">
        {rivals.map(
          ({
            personId,
            status,
            sellerName,
            fullName,
            submittedAt,
            numberUntil,
            username,
            files,
          }) => (
            <li key={personId} className="flex flex-col gap-2 py-3 first:pt-0 last:pb-0">
              <Link
                to={`/admin/documents/${personId}`}
                className="inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-4"
              >
                {sellerName} · @{username}
              </Link>
              <span className="text-small text-muted">
                {status === "contested"
                  ? "Contesta o número"
                  : numberUntil
                    ? `Os documentos dela voltaram, e o número espera por eles até ${formatMinute(numberUntil)}`
                    : "Tem o número hoje"}
                , {DOCUMENT_STATUS_LABELS[status].label.toLowerCase()}.{" "}
                {sellerName === fullName ? "" : `Responde: ${fullName}. `}Enviados em{" "}
                {formatMinute(submittedAt)}.{files.length === 0 ? " Nenhum arquivo à vista." : ""}
              </span>
              <FileLinks files={files} />
            </li>
          ),
        )}
      </ul>
    </Card>
  );
}

/** Which staff members opened which document. */
export function DocumentViews({
  views,
}: {
  views: { kind: string; viewerName: string; viewedAt: number }[];
}) {
  if (views.length === 0) return null;
  return (
    <Card as="section" label="Quem viu" className="flex flex-col gap-3 p-5 sm:p-6">
      <h2 className="text-heading">Quem viu</h2>
      <ul className="flex flex-col gap-1 text-small">
        {views.map(({ kind, viewerName, viewedAt }) => (
          <li key={`${kind} ${viewerName} ${viewedAt}`}>
            {viewerName}, {documentViewLabel(kind)}, {formatMinute(viewedAt)}
          </li>
        ))}
      </ul>
    </Card>
  );
}
