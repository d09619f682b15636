import { Form, useNavigation } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/choice.tsx";
import { CheckboxField, TextArea, TextField } from "#app/components/ui/field.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import { rejectDocuments } from "#app/domain/documents/commands.server.ts";
import { documentsUnderDecision } from "#app/domain/documents/queries.server.ts";
import { REJECTIONS, rejectionCodes } from "#app/domain/documents/rules/reasons.ts";
import { rejectionSchema } from "#app/domain/documents/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { submitted } from "#app/http/form.ts";
import { found } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/document-rejection.ts";

export const meta: Route.MetaFunction = () => [{ title: "Recusar documentos · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { personId, sellerName, cnpj } = found(await documentsUnderDecision(ctx, { personId: params.personId }), "Esta pessoa não mandou documentos.");
  return { personId, sellerName, isCompany: cnpj !== null };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const moderatorId = context.get(memberContext).id;
  return await submitted(request, rejectionSchema, async ({ code, note, bornOn, confirmedBornOn }) => {
    await rejectDocuments(context.get(domainContext), { moderatorId, personId: params.personId, code, note, bornOn, confirmedBornOn });
    return await redirectWithToast(request, "/admin/documents", { kind: "success", message: "Documentos recusados. A pessoa foi avisada." });
  });
}

export default function DocumentRejection({ loaderData: { personId, sellerName, isCompany }, actionData }: Route.ComponentProps) {
  useFirstError(actionData);
  const isBusy = useNavigation().state !== "idle";
  const codes = rejectionCodes.filter((code) => isCompany || (code !== "company_card" && code !== "not_representative"));
  return (
    <>
      <PageHeader title="Recusar documentos" lead={`De ${sellerName}. A pessoa lê o motivo e o que fazer, e pode mandar de novo; quem tem menos de 18 anos, só quando fizer 18.`} />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5" noValidate>
          <FormMessage message={actionData?.message} />
          <Choices
            legend="Motivo"
            name="code"
            defaultValue={actionData?.values.code}
            error={actionData?.errors.code}
            options={codes.map((code) => ({ value: code, label: REJECTIONS[code].label, hint: [REJECTIONS[code].says, REJECTIONS[code].todo].filter(Boolean).join(" ") }))}
          />
          <TextField
            label="Nascimento no documento"
            name="bornOn"
            inputMode="numeric"
            placeholder="dd/mm/aaaa"
            required={false}
            hint="Só para menor de 18 anos. As vendas param, as assinaturas terminam e o que ainda não saiu volta para quem pagou, sem dizer por quê a quem pagou."
            defaultValue={actionData?.values.bornOn}
            error={actionData?.errors.bornOn}
          />
          {actionData?.errors.confirmedBornOn ? (
            <CheckboxField
              label={`Conferi no documento: nasceu em ${actionData.values.bornOn}`}
              name="confirmedBornOn"
              value={actionData.values.bornOn}
              error={actionData.errors.confirmedBornOn}
            />
          ) : null}
          <TextArea label="O que mais a pessoa precisa saber" name="note" rows={3} maxLength={300} required={false} defaultValue={actionData?.values.note} error={actionData?.errors.note} />
          <div className="flex flex-wrap gap-2">
            <Button variant="danger" disabled={isBusy}>
              Recusar documentos
            </Button>
            <ButtonLink to={`/admin/documents/${personId}`} variant="outline">
              Voltar
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
