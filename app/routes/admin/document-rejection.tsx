import { Form, useNavigation } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextArea } from "#app/components/ui/field.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import { rejectDocuments } from "#app/domain/documents/commands.server.ts";
import { documentsUnderDecision } from "#app/domain/documents/queries.server.ts";
import { rejectionSchema } from "#app/domain/documents/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { submitted } from "#app/http/form.ts";
import { found } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/document-rejection.ts";

export const meta: Route.MetaFunction = () => [{ title: "Recusar documentos · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { personId, sellerName } = found(await documentsUnderDecision(ctx, { personId: params.personId }), "Esta pessoa não mandou documentos.");
  return { personId, sellerName };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const moderatorId = context.get(memberContext).id;
  return await submitted(request, rejectionSchema, async ({ reason }) => {
    await rejectDocuments(context.get(domainContext), { moderatorId, personId: params.personId, reason });
    return await redirectWithToast(request, "/admin/documents", { kind: "success", message: "Documentos recusados. A pessoa foi avisada." });
  });
}

export default function DocumentRejection({ loaderData, actionData }: Route.ComponentProps) {
  useFirstError(actionData);
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader title="Recusar documentos" lead={`De ${loaderData.sellerName}. A pessoa lê o motivo e pode mandar de novo.`} />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5" noValidate>
          <FormMessage message={actionData?.message} />
          <TextArea
            label="Motivo"
            name="reason"
            rows={3}
            maxLength={300}
            required
            defaultValue={actionData?.values.reason}
            error={actionData?.errors.reason}
            placeholder="O nome não é o do CPF. Confira e mande de novo."
          />
          <div className="flex flex-wrap gap-2">
            <Button variant="danger" disabled={isBusy}>
              Recusar documentos
            </Button>
            <ButtonLink to={`/admin/documents/${loaderData.personId}`} variant="outline">
              Voltar
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
