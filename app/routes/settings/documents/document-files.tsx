import { FirstStepsLink } from "#app/components/first-steps/first-steps-link.tsx";
import {
  DocumentUpload,
  UnreadUpload,
} from "#app/components/payouts/documents/document-uploads.tsx";
import { missingFilesText } from "#app/components/payouts/documents/document-labels.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { saveDocumentFile } from "#app/domain/documents/files/commands/files.server.ts";
import { isRenewalPending } from "#app/domain/documents/rules.ts";
import { canChangeFiles, missingFiles } from "#app/domain/documents/files/rules.ts";
import { documentFileSchema } from "#app/domain/documents/schema.ts";
import type { FileKind } from "#app/domain/documents/schema/file-kinds.ts";
import { formatMinute } from "#app/domain/time.ts";
import { requireActor, submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { redirect } from "react-router";
import { loadDocumentsPage } from "./document-status.server.ts";
import type { Route } from "./+types/document-files.ts";

const HERE = "/settings/check-documents/files";
const BACK = "/settings/check-documents";

export const meta: Route.MetaFunction = () => [{ title: "Fotos dos documentos · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const actor = requireActor({ context }, "billing:manage");
  const { documents, files, stepPath } = await loadDocumentsPage(ctx, actor, {
    after: "documents",
  });
  if (!documents || !canChangeFiles(documents, ctx.now())) throw redirect(BACK);
  const isCompany = documents.cnpj !== null;
  return {
    isCompany,
    stepPath,
    sent: Object.fromEntries(
      files.map(({ kind, createdAt }) => [kind, formatMinute(createdAt)]),
    ) as Partial<Record<FileKind, string>>,
    missing: missingFiles(
      files.map(({ kind }) => kind),
      isCompany,
    ),
    stands:
      documents.status === "approved"
        ? isRenewalPending(documents)
          ? ("renewed" as const)
          : ("ending" as const)
        : null,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "billing:manage",
    documentFileSchema,
    async ({ kind, file }, { space }) => {
      await saveDocumentFile(context.get(domainContext), {
        personId: space.personId,
        kind,
        bytes: new Uint8Array(await file.arrayBuffer()),
      });
      return await redirectWithToast(request, HERE, {
        kind: "success",
        message: "Arquivo recebido.",
      });
    },
  );
}

const SIDES: FileKind[] = ["id_front", "id_back"];
const INSTEAD: FileKind[] = ["passport", "id_pdf"];

const WHOLE_TEXTS = {
  sent: "Recebemos tudo. Agora é com a gente: respondemos em até 14 dias.",
  ending:
    "Mande o documento novo. O que já foi aprovado vale até ele ser conferido ou o prazo acabar.",
  renewed:
    "Recebemos o documento novo e estamos conferindo. Enquanto isso você vende e saca como sempre.",
} as const;

export default function DocumentFiles({
  loaderData: { isCompany, sent, missing, stands: staysApproved, stepPath },
  actionData,
}: Route.ComponentProps) {
  useFirstError(actionData);
  const uploads = (kinds: FileKind[]) =>
    kinds.map((kind) => (
      <DocumentUpload
        key={`${kind} ${sent[kind] ?? ""}`}
        kind={kind}
        sentAt={sent[kind] ?? null}
        problem={actionData}
      />
    ));
  return (
    <>
      <PageHeader
        title="Fotos dos documentos"
        lead="Só a moderação vê, por poucos minutos de cada vez, e cada olhada fica anotada."
      />
      <div className="flex flex-col gap-6">
        <p role="status" className="font-semibold">
          {missing.length > 0 ? missingFilesText(missing) : WHOLE_TEXTS[staysApproved ?? "sent"]}
        </p>
        <UnreadUpload problem={actionData} />
        <Card as="section" label="Documento com foto" className="flex flex-col gap-5 p-5 sm:p-6">
          <h2 className="text-heading">
            {isCompany ? "Documento de quem responde pela empresa" : "Documento com foto"}
          </h2>
          <div className="divide-y divide-line">{uploads(SIDES)}</div>
          <details open={INSTEAD.some((kind) => sent[kind] || actionData?.values.kind === kind)}>
            <summary className="min-h-11 cursor-pointer py-2 font-semibold text-leaf">
              Tenho passaporte ou documento digital
            </summary>
            <div className="mt-4 divide-y divide-line">{uploads(INSTEAD)}</div>
          </details>
        </Card>
        <Card as="section" label="Selfie" className="p-5 sm:p-6">
          {uploads(["selfie"])}
        </Card>
        {isCompany ? (
          <Card as="section" label="Cartão CNPJ" className="p-5 sm:p-6">
            {uploads(["company_card"])}
          </Card>
        ) : null}
        <div className="flex flex-wrap gap-2">
          <FirstStepsLink to={stepPath} variant={missing.length > 0 ? "outline" : "primary"} />
          <ButtonLink to={BACK} variant="outline">
            Voltar para Documentos
          </ButtonLink>
        </div>
      </div>
    </>
  );
}
