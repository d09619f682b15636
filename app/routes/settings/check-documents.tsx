import { SellerDetailsForm } from "#app/components/payouts/seller-details-form.tsx";
import { Facts } from "#app/components/payments/facts.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import type { BadgeTone } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { documentsOf } from "#app/domain/documents/queries.server.ts";
import { approvalDeadline, maySubmit, statusOf } from "#app/domain/documents/rules.ts";
import type { DocumentsStatus } from "#app/domain/documents/schema.ts";
import { formatCnpj, maskCpf } from "#app/domain/identity/rules/tax-ids.ts";
import { submitSellerDetails } from "#app/domain/payouts/commands.server.ts";
import { sellerDetailsSchema } from "#app/domain/payouts/schema.ts";
import { formatDay } from "#app/domain/time.ts";
import { actorWhoMay, submittedForSpace } from "#app/http/acting.server.ts";
import { confirmAnotherKey } from "#app/http/another-key.server.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/check-documents.ts";

const HERE = "/settings/check-documents";

export const meta: Route.MetaFunction = () => [{ title: "Documentos · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { personId } = actorWhoMay({ context }, "billing:manage").space;
  const documents = await documentsOf(ctx, { personId });
  if (maySubmit(statusOf(documents))) await confirmAnotherKey({ env: context.get(cloudflareContext).env, ctx, request }, { personId, path: HERE });
  return {
    status: statusOf(documents),
    sent: documents
      ? {
          fullName: documents.fullName,
          cpfMasked: maskCpf(documents.cpf),
          company: documents.companyName !== null && documents.cnpj !== null ? { name: documents.companyName, cnpj: formatCnpj(documents.cnpj) } : null,
          submittedAt: documents.submittedAt,
          answerBy: approvalDeadline(documents.submittedAt),
          rejectionReason: documents.rejectionReason,
        }
      : null,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  return await submittedForSpace({ request, context }, "billing:manage", sellerDetailsSchema, async (details, { space }) => {
    const ctx = context.get(domainContext);
    await confirmAnotherKey({ env: context.get(cloudflareContext).env, ctx, request }, { personId: space.personId, path: HERE });
    await submitSellerDetails(ctx, { personId: space.personId, ...details });
    return await redirectWithToast(request, HERE, { kind: "success", message: "Recebemos os seus documentos." });
  });
}

const BADGES: Record<DocumentsStatus, { label: string; tone: BadgeTone }> = {
  missing: { label: "Faltam documentos", tone: "attention" },
  submitted: { label: "Em conferência", tone: "attention" },
  approved: { label: "Aprovados", tone: "good" },
  rejected: { label: "Recusados", tone: "refusal" },
};

export default function CheckDocuments({ loaderData, actionData }: Route.ComponentProps) {
  const { status, sent } = loaderData;
  const badge = BADGES[status];
  return (
    <>
      <PageHeader title="Documentos" lead="Para vender e receber, a lei e o banco pedem que a gente saiba quem você é.">
        <Badge tone={badge.tone}>{badge.label}</Badge>
      </PageHeader>
      {maySubmit(status) ? (
        <Card className="flex flex-col gap-5 p-5 sm:p-6">
          {sent?.rejectionReason ? <FormMessage message={`Não deu para aprovar: ${sent.rejectionReason}`} /> : null}
          <SellerDetailsForm problem={actionData} defaults={{}} submitLabel="Enviar documentos" />
        </Card>
      ) : (
        <Card className="flex flex-col gap-5 p-5 sm:p-6">
          <FormMessage message={actionData?.message} />
          <p>{status === "approved" ? "Tudo certo: você vende e saca sem prazo." : `Estamos conferindo. Você já pode vender; respondemos até ${sent ? formatDay(sent.answerBy) : ""}, e os saques abrem com a aprovação.`}</p>
          {sent ? (
            <Facts
              facts={[
                ...(sent.company ? [{ label: "Razão social", value: sent.company.name }, { label: "CNPJ", value: sent.company.cnpj }] : []),
                { label: sent.company ? "Quem responde pela empresa" : "Nome completo", value: sent.fullName },
                { label: sent.company ? "CPF de quem responde" : "CPF", value: sent.cpfMasked },
                { label: "Enviados em", value: formatDay(sent.submittedAt) },
              ]}
            />
          ) : null}
          <ButtonLink to="/settings/withdrawal-method" variant="outline" className="self-start">
            Chave Pix
          </ButtonLink>
        </Card>
      )}
    </>
  );
}
