import { DocumentDecision } from "#app/components/payouts/document-decision.tsx";
import {
  DocumentFiles,
  DocumentContestants,
  DocumentViews,
} from "#app/components/payouts/document-review.tsx";
import { DocumentRegistry } from "#app/components/payouts/document-registry.tsx";
import { isoToDay, DOCUMENT_STATUS_LABELS } from "#app/components/payouts/document-labels.ts";
import { DetailList } from "#app/components/payments/detail-list.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import { approveDocuments } from "#app/domain/documents/commands.server.ts";
import { viewDocumentsAsModerator } from "#app/domain/documents/files/commands/views.server.ts";
import { documentFileLink } from "#app/domain/documents/files/queries.server.ts";
import {
  awaitsDecision,
  isOfAge,
  isRenewalPending,
  isUndecided,
} from "#app/domain/documents/rules.ts";
import { decisionDueAt } from "#app/domain/documents/expiry/rules.ts";
import { missingFiles } from "#app/domain/documents/files/rules.ts";
import { contestVersion } from "#app/domain/documents/contests/rules.ts";
import { taxIdChecks } from "#app/domain/documents/registry/rules.ts";
import { approvalSchema } from "#app/domain/documents/reasons/schema.ts";
import type { FileKind } from "#app/domain/documents/schema/file-kinds.ts";
import {
  formatCnpj,
  formatCpf,
  formatTaxId,
  taxIdLabel,
} from "#app/domain/identity/tax-ids/rules.ts";
import { formatDay, formatMinute } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404, throwRefusals } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/document.ts";

export const meta: Route.MetaFunction = () => [{ title: "Conferir documentos · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const moderatorId = context.get(memberContext).id;
  const { documents, files, views, others, rivals, rivalFiles, answers, sideOf } = foundOr404(
    await throwRefusals(() =>
      viewDocumentsAsModerator(ctx, { moderatorId, personId: params.personId }),
    ),
    "Esta pessoa não mandou documentos.",
  );
  ctx.log("documents.viewed", { personId: params.personId, moderatorId });
  const shown = async (
    sent: { id: string; personId: string; kind: FileKind; createdAt: number }[],
  ) =>
    await Promise.all(
      sent.map(async ({ id, kind, personId, createdAt }) => ({
        kind,
        createdAt,
        personId,
        url: await documentFileLink(ctx, { moderatorId, personId, fileId: id }),
      })),
    );
  const theirs = await shown(rivalFiles);
  return {
    ...documents,
    cpf: formatCpf(documents.cpf),
    cnpj: documents.cnpj && formatCnpj(documents.cnpj),
    isOfAge: isOfAge(documents.birthDate, ctx.now()),
    answerBy: awaitsDecision(documents) ? decisionDueAt(documents) : null,
    missing: missingFiles(documents.kinds, documents.cnpj !== null),
    files: await shown(sideOf === "own" ? [] : files),
    rivals: rivals.map((rival) => ({
      ...rival,
      mark: contestVersion(rival),
      files: theirs.filter(({ personId }) => personId === rival.personId),
    })),
    views,
    others,
    numbers: taxIdChecks(documents, answers).map(({ answer, isOtherName, ...number }) => ({
      shown: `${taxIdLabel(number.taxKind)} ${formatTaxId(number)}`,
      answer,
      isOtherName,
    })),
    hasRegistry: ctx.registry !== null,
    sideOf,
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await handleForm(
    request,
    approvalSchema,
    async ({ expiresOn, seenAt, lookedUp, takesFrom }) => {
      await approveDocuments(context.get(domainContext), {
        moderatorId: context.get(memberContext).id,
        personId: params.personId,
        expiresOn,
        seenAt,
        isLookedUp: lookedUp,
        takesFrom,
      });
      return await redirectWithToast(request, "/admin/documents", {
        kind: "success",
        message: "Documentos aprovados.",
      });
    },
  );
}

export default function Document({ loaderData: documents, actionData }: Route.ComponentProps) {
  useFirstError(actionData);
  const words = DOCUMENT_STATUS_LABELS[documents.status];
  return (
    <>
      <PageHeader title={documents.sellerName}>
        <Badge tone={words.tone}>{words.label}</Badge>
      </PageHeader>
      <div className="flex flex-col gap-6">
        <Card className="p-5 sm:p-6">
          <DetailList facts={factsOf(documents)} />
        </Card>
        <DocumentFiles
          files={documents.files}
          missing={documents.missing}
          others={documents.others}
        />
        <DocumentRegistry
          personId={documents.personId}
          numbers={documents.numbers}
          mayAsk={
            documents.hasRegistry && isUndecided(documents.status) && documents.sideOf === null
          }
        />
        <DocumentContestants
          isContested={documents.status === "contested"}
          rivals={documents.rivals}
        />
        {documents.status !== "rejected" ? (
          <DocumentDecision documents={documents} problem={actionData} />
        ) : null}
        <DocumentViews views={documents.views} />
        <ButtonLink
          to={`/admin/payouts/people/${documents.personId}`}
          variant="outline"
          className="self-start"
        >
          Ver o dinheiro desta pessoa
        </ButtonLink>
        <ButtonLink to="/admin/documents" variant="ghost" className="-ml-5 self-start">
          Voltar para a fila
        </ButtonLink>
      </div>
    </>
  );
}

type Loaded = Route.ComponentProps["loaderData"];

function factsOf(documents: Loaded) {
  return [
    ...(documents.cnpj
      ? [
          { label: "CNPJ", value: documents.cnpj },
          { label: "Quem responde pela empresa", value: documents.fullName },
        ]
      : []),
    { label: "CPF", value: documents.cpf },
    {
      label: "Nascimento",
      value: `${isoToDay(documents.birthDate)}${documents.isOfAge ? "" : " (menor de 18)"}`,
    },
    ...(documents.toldBirthDate
      ? [{ label: "Nascimento que disse", value: isoToDay(documents.toldBirthDate) }]
      : []),
    { label: "Perfil", value: `${documents.name} · @${documents.username}` },
    { label: "E-mail", value: documents.email },
    { label: "Enviados em", value: formatMinute(documents.submittedAt) },
    ...(isRenewalPending(documents) && documents.filesAt !== null
      ? [{ label: "Documento novo em", value: formatMinute(documents.filesAt) }]
      : []),
    ...(documents.answerBy !== null
      ? [{ label: "Responder até", value: formatDay(documents.answerBy) }]
      : []),
    ...(documents.expiresOn
      ? [{ label: "Documento válido até", value: isoToDay(documents.expiresOn) }]
      : []),
    ...(documents.rejectionReason
      ? [{ label: "Motivo da recusa", value: documents.rejectionReason }]
      : []),
  ];
}
