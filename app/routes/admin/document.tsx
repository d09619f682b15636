import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { Facts } from "#app/components/payments/facts.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { approveDocuments } from "#app/domain/documents/commands.server.ts";
import { documentsUnderDecision } from "#app/domain/documents/queries.server.ts";
import { isOfAge } from "#app/domain/documents/rules.ts";
import { formatCnpj, formatCpf } from "#app/domain/identity/rules/tax-ids.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { submitted } from "#app/http/form.ts";
import { found } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/document.ts";

export const meta: Route.MetaFunction = () => [{ title: "Conferir documentos · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const documents = found(await documentsUnderDecision(ctx, { personId: params.personId }), "Esta pessoa não mandou documentos.");
  ctx.log("documents.viewed", { personId: params.personId, moderatorId: context.get(memberContext).id });
  return { ...documents, cpf: formatCpf(documents.cpf), cnpj: documents.cnpj && formatCnpj(documents.cnpj), isOfAge: isOfAge(documents.birthDate, ctx.now()) };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await submitted(request, z.object({}), async () => {
    await approveDocuments(context.get(domainContext), { moderatorId: context.get(memberContext).id, personId: params.personId });
    return await redirectWithToast(request, "/admin/documents", { kind: "success", message: "Documentos aprovados." });
  });
}

const STATUS_WORDS = {
  submitted: { label: "Esperando decisão", tone: "attention" },
  approved: { label: "Aprovados", tone: "good" },
  rejected: { label: "Recusados", tone: "refusal" },
} as const;

export default function Document({ loaderData: documents, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  const words = STATUS_WORDS[documents.status];
  return (
    <>
      <PageHeader title={documents.sellerName}>
        <Badge tone={words.tone}>{words.label}</Badge>
      </PageHeader>
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <FormMessage message={actionData?.message} />
        <Facts
          facts={[
            ...(documents.cnpj ? [{ label: "CNPJ", value: documents.cnpj }, { label: "Quem responde pela empresa", value: documents.fullName }] : []),
            { label: "CPF", value: documents.cpf },
            { label: "Nascimento", value: `${documents.birthDate.split("-").toReversed().join("/")}${documents.isOfAge ? "" : " (menor de 18)"}` },
            { label: "Perfil", value: `${documents.name} · @${documents.username}` },
            { label: "E-mail", value: documents.email },
            { label: "Enviados em", value: formatMinute(documents.submittedAt) },
            ...(documents.rejectionReason ? [{ label: "Motivo da recusa", value: documents.rejectionReason }] : []),
          ]}
        />
        {documents.status === "submitted" ? (
          <div className="flex flex-wrap gap-2">
            <Form method="post">
              <Button disabled={isBusy}>Aprovar</Button>
            </Form>
            <ButtonLink to={`/admin/documents/${documents.personId}/rejection`} variant="outline">
              Recusar
            </ButtonLink>
          </div>
        ) : null}
        <ButtonLink to="/admin/documents" variant="ghost" className="-ml-5 self-start">
          Voltar para a fila
        </ButtonLink>
      </Card>
    </>
  );
}
