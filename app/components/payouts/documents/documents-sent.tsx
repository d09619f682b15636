import { isoToDay, missingFilesText } from "./document-labels.ts";
import { DetailList } from "#app/components/payments/detail-list.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { DOCUMENT_FILE_LABELS } from "#app/domain/documents/schema/file-kinds.ts";
import type { MissingFile } from "#app/domain/documents/files/rules.ts";
import type { DocumentsStatus } from "#app/domain/documents/schema.ts";
import type { FileKind } from "#app/domain/documents/schema/file-kinds.ts";
import { formatDay } from "#app/domain/time.ts";

type Sent = {
  fullName: string;
  cpfMasked: string;
  company: { name: string; cnpj: string } | null;
  submittedAt: number;
  answerBy: number;
  /** The expected review time has passed. */
  isLate: boolean;
  expiresOn: string | null;
  /** A renewed document waits for review while the earlier approval stays valid. */
  isRenewed: boolean;
  /** Why staff rejected the earlier renewal. */
  rejectionReason: string | null;
  hasEnded: boolean;
  files: { id: string; kind: FileKind; createdAt: number }[];
  missing: MissingFile[];
  mayChange: boolean;
};

type SentProps = {
  status: DocumentsStatus;
  sent: Sent;
  /** The files open for their owner only, never for the team. */
  isOwn: boolean;
  message: string | null;
};

/** Documents under review or approved: their status, what is missing and the files sent. */
export function DocumentsSent({ status, sent, isOwn, message }: SentProps) {
  const isApproved = status === "approved";
  return (
    <div className="flex flex-col gap-6">
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <FormMessage message={message} />
        <p>{statusText(status, sent)}</p>
        {sent.mayChange ? (
          <ButtonLink
            to="/settings/check-documents/files"
            variant={
              (isApproved && !sent.isRenewed) || sent.missing.length > 0 ? "primary" : "outline"
            }
            className="self-start"
          >
            {isApproved && !sent.isRenewed
              ? "Enviar o documento novo"
              : sent.missing.length > 0
                ? "Enviar fotos"
                : "Trocar uma foto"}
          </ButtonLink>
        ) : null}
        {status === "contested" ? (
          <ButtonLink
            to="/settings/check-documents/other-number"
            variant="outline"
            className="self-start"
          >
            Este {sent.company ? "CNPJ" : "CPF"} não é meu
          </ButtonLink>
        ) : null}
        <DetailList
          details={[
            ...(sent.company
              ? [
                  { label: "Razão social", value: sent.company.name },
                  { label: "CNPJ", value: sent.company.cnpj },
                ]
              : []),
            {
              label: sent.company ? "Quem responde pela empresa" : "Nome completo",
              value: sent.fullName,
            },
            { label: sent.company ? "CPF de quem responde" : "CPF", value: sent.cpfMasked },
            { label: "Enviados em", value: formatDay(sent.submittedAt) },
            ...(sent.expiresOn
              ? [{ label: "Documento válido até", value: isoToDay(sent.expiresOn) }]
              : []),
          ]}
        />
        <ButtonLink to="/settings/withdrawal-method" variant="outline" className="self-start">
          Chave Pix
        </ButtonLink>
      </Card>
      {sent.files.length > 0 ? (
        <Card as="section" label="Arquivos enviados" className="flex flex-col gap-3 p-5 sm:p-6">
          <h2 className="text-heading">Arquivos enviados</h2>
          <ul className="divide-y divide-line">
            {sent.files.map(({ id, kind, createdAt }) => (
              <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 py-2">
                {isOwn ? (
                  <a
                    href={`/settings/check-documents/files/${id}`}
                    className="inline-flex min-h-11 items-center text-leaf underline underline-offset-4"
                  >
                    {DOCUMENT_FILE_LABELS[kind]}
                  </a>
                ) : (
                  <span>{DOCUMENT_FILE_LABELS[kind]}</span>
                )}
                <span className="text-small text-muted">{formatDay(createdAt)}</span>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
    </div>
  );
}

function statusText(
  status: DocumentsStatus,
  {
    company,
    missing,
    answerBy,
    isLate,
    expiresOn,
    hasEnded,
    mayChange,
    isRenewed,
    rejectionReason,
  }: Sent,
): string {
  if (status === "contested") {
    const files =
      missing.length > 0
        ? `${missingFilesText(missing)} Sem as fotos, a moderação não tem o que comparar.`
        : isLate
          ? "Recebemos tudo. A resposta está atrasada, e a culpa é nossa: a moderação já foi avisada. Você não precisa fazer nada."
          : `Recebemos tudo, e respondemos até ${formatDay(answerBy)}.`;
    return `Este ${company ? "CNPJ" : "CPF"} está em outra conta. A moderação confere os documentos das duas e decide de quem ele é; até lá a sua página não vende. ${files}`;
  }
  if (status === "approved") {
    if (isRenewed)
      return "Recebemos o documento novo e estamos conferindo. Enquanto isso você vende e saca como sempre.";
    if (rejectionReason && expiresOn)
      return `O documento novo não serviu. ${rejectionReason} O de antes vale até ${isoToDay(expiresOn)}.`;
    return mayChange && expiresOn
      ? `Tudo certo por enquanto, mas o seu documento vale até ${isoToDay(expiresOn)}. Mande um novo antes disso.`
      : "Tudo certo: você vende e saca sem prazo.";
  }
  const ended =
    hasEnded && expiresOn ? `O documento que você mandou venceu em ${isoToDay(expiresOn)}. ` : "";
  if (missing.length > 0)
    return `${ended}${missingFilesText(missing)} Você já pode vender, até ${formatDay(answerBy)}; para continuar depois disso, e para sacar, precisamos conferir tudo.`;
  return `${ended}Estamos conferindo. Você já pode vender; respondemos até ${formatDay(answerBy)}, e os saques abrem com a aprovação.`;
}
