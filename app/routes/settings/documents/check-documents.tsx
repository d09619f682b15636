import { FirstStepsLink } from "#app/components/first-steps/first-steps-link.tsx";
import { HelpLink } from "#app/components/help/help-link.tsx";
import { DocumentsSent } from "#app/components/payouts/documents/documents-sent.tsx";
import { SellerDetailsForm } from "#app/components/payouts/documents/seller-details-form.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import type { BadgeTone } from "#app/components/ui/badge.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import {
  approvalDeadline,
  isRenewalPending,
  canSubmitDocuments,
  documentsStatus,
  CONTEST_WITHDRAWN_CODE,
} from "#app/domain/documents/rules.ts";
import { canChangeFiles, missingFiles } from "#app/domain/documents/files/rules.ts";
import type { DocumentFile, Documents, DocumentsStatus } from "#app/domain/documents/schema.ts";
import { formatCnpj, maskCpf } from "#app/domain/identity/tax-ids/rules.ts";
import { submitSellerDetails } from "#app/domain/payouts/destinations/commands.server.ts";
import { withdrawalMethodOfCreator } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import { destinationLabel } from "#app/domain/payouts/destinations/rules/destinations.ts";
import {
  sellerDetailsAgainSchema,
  sellerDetailsSchema,
} from "#app/domain/payouts/destinations/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { formatMinute, isoDay } from "#app/domain/time.ts";
import { requireActor, submitForSpace } from "#app/http/acting.server.ts";
import {
  confirmPixKeyChange,
  refuseUnconfirmedPixKey,
} from "#app/http/money/pix-key-change.server.ts";
import {
  actorContext,
  cloudflareContext,
  domainContext,
  formSubmittedContext,
} from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { loadDocumentsPage } from "./document-status.server.ts";
import type { Route } from "./+types/check-documents.ts";

const HERE = "/settings/check-documents";

export const meta: Route.MetaFunction = () => [{ title: "Documentos · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const actor = requireActor({ context }, "billing:manage");
  const { space, isOwn } = actor;
  const { documents, files, isContested, stepPath } = await loadDocumentsPage(ctx, actor, {
    after: "payout_method",
  });
  const asks = canSubmitDocuments(documentsStatus(documents));
  const { isHidden } = asks
    ? await confirmPixKeyChange(
        { env: context.get(cloudflareContext).env, ctx, request },
        { personId: space.personId, path: HERE, wasSent: context.get(formSubmittedContext) },
      )
    : { isHidden: false };
  const method = asks ? await withdrawalMethodOfCreator(ctx, { creatorId: space.personId }) : null;
  return {
    status: documentsStatus(documents),
    keeps: method && destinationLabel(method.pixKeyKind, method.pixKey),
    sent: documents && shown(documents, files, ctx.now()),
    isContested,
    isOwn: isOwn && !isHidden,
    stepPath,
  };
}

function shown(documents: Documents, files: DocumentFile[], now: Instant) {
  const {
    fullName,
    companyName,
    cnpj,
    submittedAt,
    rejectionReason,
    rejectionCode,
    expiresOn,
    numberUntil,
  } = documents;
  return {
    fullName,
    cpfMasked: maskCpf(documents.cpf),
    company:
      companyName !== null && cnpj !== null ? { name: companyName, cnpj: formatCnpj(cnpj) } : null,
    submittedAt,
    answerBy: approvalDeadline(submittedAt),
    isLate: now >= approvalDeadline(submittedAt),
    rejectionReason,
    isWithdrawn: rejectionCode === CONTEST_WITHDRAWN_CODE,
    numberUntil: numberUntil !== null && numberUntil > now ? numberUntil : null,
    expiresOn,
    isRenewed: isRenewalPending(documents),
    hasEnded: expiresOn !== null && expiresOn < isoDay(now),
    files: files.map(({ id, kind, createdAt }) => ({ id, kind, createdAt })),
    missing: missingFiles(
      files.map(({ kind }) => kind),
      cnpj !== null,
    ),
    mayChange: canChangeFiles(documents, now),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  context.set(formSubmittedContext, true);
  const ctx = context.get(domainContext);
  const method = await withdrawalMethodOfCreator(ctx, {
    creatorId: context.get(actorContext).space.personId,
  });
  return await submitForSpace(
    { request, context },
    "billing:manage",
    method ? sellerDetailsAgainSchema : sellerDetailsSchema,
    async (details, { space }) => {
      await refuseUnconfirmedPixKey(
        { env: context.get(cloudflareContext).env, ctx, request },
        { personId: space.personId, path: HERE },
      );
      await submitSellerDetails(ctx, { personId: space.personId, ...details });
      return await redirectWithToast(request, `${HERE}/files`, {
        kind: "success",
        message: "Recebemos os seus dados. Agora, as fotos.",
      });
    },
  );
}

const BADGES: Record<DocumentsStatus, { label: string; tone: BadgeTone }> = {
  missing: { label: "Faltam documentos", tone: "attention" },
  submitted: { label: "Em conferência", tone: "attention" },
  contested: { label: "Número em disputa", tone: "attention" },
  approved: { label: "Aprovados", tone: "good" },
  rejected: { label: "Recusados", tone: "refusal" },
};

export default function CheckDocuments({
  loaderData: { status, sent, isContested, isOwn, keeps, stepPath },
  actionData,
}: Route.ComponentProps) {
  const badge =
    status === "submitted" && sent && sent.missing.length > 0
      ? { label: "Faltam fotos", tone: "attention" as const }
      : BADGES[status];
  return (
    <>
      <PageHeader
        title="Documentos"
        lead="Para vender e receber, a lei e o banco pedem que a gente saiba quem você é."
      >
        <Badge tone={badge.tone}>{badge.label}</Badge>
        <FirstStepsLink to={stepPath} />
      </PageHeader>
      {isContested && sent ? (
        <p role="status" className="mb-6 rounded-card bg-attention-soft p-4">
          Outra conta diz que o seu {sent.company ? "CNPJ" : "CPF"} é dela. Nada muda na sua até a
          moderação conferir os documentos dos dois lados.
        </p>
      ) : null}
      {canSubmitDocuments(status) || !sent ? (
        <Card className="flex flex-col gap-5 p-5 sm:p-6">
          {sent?.isWithdrawn ? (
            <p>
              {sent.rejectionReason} Mande os dados com o seu número; as fotos que chegaram
              continuam valendo.
            </p>
          ) : sent?.rejectionReason ? (
            <FormMessage message={`Não deu para aprovar. ${sent.rejectionReason}`} />
          ) : null}
          {sent?.numberUntil ? (
            <p>
              Ninguém mais usa o seu {sent.company ? "CNPJ" : "CPF"} até{" "}
              {formatMinute(sent.numberUntil)}. Mande de novo antes disso.
            </p>
          ) : null}
          <SellerDetailsForm
            problem={actionData}
            defaults={
              sent && isOwn
                ? {
                    fullName: sent.fullName,
                    ...(sent.company
                      ? { kind: "company", companyName: sent.company.name, cnpj: sent.company.cnpj }
                      : {}),
                  }
                : {}
            }
            submitLabel="Enviar documentos"
            keeps={keeps}
          />
        </Card>
      ) : (
        <DocumentsSent
          status={status}
          sent={sent}
          isOwn={isOwn}
          message={actionData?.message ?? null}
        />
      )}
      <HelpLink answer="documentos">Que documentos pedimos, e o prazo</HelpLink>
    </>
  );
}
