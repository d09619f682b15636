import { DocumentDecision } from "#app/components/payouts/documents/document-decision.tsx";
import { documentDetails } from "#app/components/payouts/documents/document-details.ts";
import { DocumentPhotos } from "#app/components/payouts/documents/document-photos.tsx";
import {
  DocumentContestants,
  DocumentViews,
  SameCpfAccounts,
} from "#app/components/payouts/documents/document-review.tsx";
import { DocumentRegistry } from "#app/components/payouts/documents/document-registry.tsx";
import { DOCUMENT_STATUS_LABELS } from "#app/components/payouts/documents/document-labels.ts";
import { DetailList } from "#app/components/payments/detail-list.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { approveDocuments } from "#app/domain/documents/commands.server.ts";
import { viewDocumentsAsModerator } from "#app/domain/documents/files/commands/views.server.ts";
import { documentFileLink } from "#app/domain/documents/files/queries.server.ts";
import { awaitsDecision, isOfAge, isUndecided } from "#app/domain/documents/rules.ts";
import { decisionDueAt } from "#app/domain/documents/expiry/rules.ts";
import { missingFiles } from "#app/domain/documents/files/rules.ts";
import { contestVersion } from "#app/domain/documents/contests/rules.ts";
import { taxIdChecks } from "#app/domain/documents/registry/rules.ts";
import { approvalSchema } from "#app/domain/documents/reasons/schema.ts";
import {
  formatCnpj,
  formatCpf,
  formatTaxId,
  taxIdLabel,
} from "#app/domain/identity/tax-ids/rules.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404, throwRefusals } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/document.ts";

export const meta: Route.MetaFunction = () => [{ title: "Conferir documentos · Coreto" }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const moderatorId = context.get(memberContext).id;
  const { documents, files, unopened, views, others, rivals, rivalFiles, answers, sideOf } =
    foundOr404(
      await throwRefusals(() =>
        viewDocumentsAsModerator(ctx, { moderatorId, personId: params.personId }),
      ),
      "Esta pessoa não mandou documentos.",
    );
  ctx.log("documents.viewed", { personId: params.personId, moderatorId });
  const linkTo = async ({ id: fileId, personId }: { id: string; personId: string }) =>
    await documentFileLink(ctx, { moderatorId, personId, fileId });
  const theirs = await Promise.all(
    rivalFiles.map(async (file) => ({ ...file, url: await linkTo(file) })),
  );
  const own = await Promise.all(
    (sideOf === "own" ? [] : files).map(async (file) => ({
      kind: file.kind,
      isPhoto: file.contentType !== "application/pdf",
      createdAt: file.createdAt,
      url: await linkTo(file),
      isOpened: !unopened.includes(file.kind),
    })),
  );
  return {
    ...documents,
    cpf: formatCpf(documents.cpf),
    cnpj: documents.cnpj && formatCnpj(documents.cnpj),
    isOfAge: isOfAge(documents.birthDate, ctx.now()),
    answerBy: awaitsDecision(documents) ? decisionDueAt(documents) : null,
    missing: missingFiles(documents.kinds, documents.cnpj !== null),
    files: own,
    shownKind: new URL(request.url).searchParams.get("photo"),
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
  const text = DOCUMENT_STATUS_LABELS[documents.status];
  return (
    <>
      <PageHeader title={documents.sellerName}>
        <Badge tone={text.tone}>{text.label}</Badge>
      </PageHeader>
      <div className="flex flex-col gap-6">
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <Card
            as="section"
            label="O que a pessoa escreveu"
            className="flex flex-col gap-4 p-5 sm:p-6"
          >
            <h2 className="text-heading">O que a pessoa escreveu</h2>
            <DetailList details={documentDetails(documents)} />
            <SameCpfAccounts others={documents.others} />
          </Card>
          <DocumentPhotos
            files={documents.files}
            shownKind={documents.shownKind}
            missing={documents.missing}
            asksForAll={awaitsDecision(documents) && documents.sideOf === null}
          />
        </div>
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
