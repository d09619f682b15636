import { useState } from "react";
import { Link } from "react-router";
import { missingFilesText } from "./document-labels.ts";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { DOCUMENT_FILE_LABELS } from "#app/domain/documents/schema/file-kinds.ts";
import type { MissingFile } from "#app/domain/documents/files/rules.ts";
import type { FileKind } from "#app/domain/documents/schema/file-kinds.ts";
import { formatMinute } from "#app/domain/time.ts";

export type DocumentPhoto = {
  kind: FileKind;
  /** A picture, which the page can show. Otherwise a PDF, which opens in a tab of its own. */
  isPhoto: boolean;
  createdAt: number;
  url: string;
  /** This moderator's view is logged. */
  isOpened: boolean;
};

/**
 * The files that a seller sent, one shown at a time beside what they typed. A file loads only when
 * the moderator chooses it, because each load is logged as a view and an approval asks for all of
 * them. The choice is in the URL, so that it works without JavaScript.
 */
export function DocumentPhotos({
  files,
  shownKind,
  missing,
  asksForAll,
}: {
  files: DocumentPhoto[];
  shownKind: string | null;
  missing: MissingFile[];
  /** The moderator may approve these documents, once every file was opened. */
  asksForAll: boolean;
}) {
  // A PDF opens in another tab, so this page does not read again that its view is logged.
  const [openedHere, setOpenedHere] = useState<readonly string[]>([]);
  const shown = files.find(({ kind, isPhoto }) => isPhoto && kind === shownKind);
  const isOpened = (file: DocumentPhoto) =>
    file.isOpened || openedHere.includes(file.url) || file === shown;
  return (
    <Card as="section" label="Arquivos" className="flex flex-col gap-4 p-5 sm:p-6">
      <h2 id="photos" className="scroll-mt-20 text-heading">
        Arquivos
      </h2>
      {missing.length > 0 ? (
        <p className="font-semibold text-attention">{missingFilesText(missing)}</p>
      ) : null}
      {files.length > 0 ? (
        <p className="text-small text-muted">
          {asksForAll
            ? "Abra cada um e compare com o que a pessoa escreveu: só dá para aprovar depois de ver todos. "
            : ""}
          Cada vez que você abre um fica anotada.
        </p>
      ) : null}
      <ul className="flex flex-col divide-y divide-line">
        {files.map((file) => (
          <li key={file.kind} className="flex flex-col gap-3 py-2 first:pt-0 last:pb-0">
            <FileRow
              file={file}
              isShown={file === shown}
              isOpened={isOpened(file)}
              onOpen={() => setOpenedHere((urls) => [...urls, file.url])}
            />
            {file === shown ? <ShownPhoto file={file} /> : null}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function FileRow({
  file: { kind, createdAt, isPhoto, url },
  isShown,
  isOpened,
  onOpen,
}: {
  file: DocumentPhoto;
  isShown: boolean;
  isOpened: boolean;
  onOpen: () => void;
}) {
  const link =
    "inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-4";
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4">
      {isPhoto ? (
        <Link
          to={isShown ? "?#photos" : `?photo=${kind}#photos`}
          preventScrollReset
          aria-expanded={isShown}
          className={link}
        >
          {isShown ? "Fechar" : "Ver"} {DOCUMENT_FILE_LABELS[kind]}
        </Link>
      ) : (
        <a href={url} target="_blank" rel="noreferrer" onClick={onOpen} className={link}>
          Ver {DOCUMENT_FILE_LABELS[kind]}
        </a>
      )}
      <span className="flex items-center gap-3 text-small text-muted">
        {formatMinute(createdAt)}
        <Badge tone={isOpened ? "good" : "attention"}>
          {isOpened ? "Você abriu" : "Falta abrir"}
        </Badge>
      </span>
    </div>
  );
}

function ShownPhoto({ file }: { file: DocumentPhoto }) {
  return (
    <>
      <img
        src={file.url}
        alt={DOCUMENT_FILE_LABELS[file.kind]}
        className="max-h-[36rem] w-full rounded-field border border-line object-contain"
      />
      <ButtonLink
        to={file.url}
        target="_blank"
        reloadDocument
        variant="outline"
        size="sm"
        className="self-start"
      >
        Abrir em tamanho inteiro
      </ButtonLink>
    </>
  );
}
