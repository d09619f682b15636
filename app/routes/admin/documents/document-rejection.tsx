import { Form, redirect, useNavigation } from "react-router";
import { isoToDay } from "#app/components/payouts/documents/document-labels.ts";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { CheckboxField, TextArea, TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { rejectDocuments } from "#app/domain/documents/commands.server.ts";
import { loadRejectionOptions } from "#app/domain/documents/files/commands/views.server.ts";
import { REJECTION_REASONS, rejectionCodes } from "#app/domain/documents/reasons/rules.ts";
import { rejectionSchema } from "#app/domain/documents/reasons/schema.ts";
import { isoDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404, throwRefusals } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/document-rejection.ts";

export const meta: Route.MetaFunction = () => [{ title: "Recusar documentos · Coreto" }];

// The moderator rejects the version that the documents page showed, not a later one. The address
// names that version. Without it, the loader redirects to the documents page.
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const seenAt = new URL(request.url).searchParams.get("seen");
  if (seenAt === null) throw redirect(`/admin/documents/${params.personId}`);
  const ctx = context.get(domainContext);
  const moderatorId = context.get(memberContext).id;
  const review = foundOr404(
    await throwRefusals(() =>
      loadRejectionOptions(ctx, { moderatorId, personId: params.personId }),
    ),
    "Esta pessoa não mandou documentos.",
  );
  return {
    ...review,
    isOver: review.standsUntil !== null && review.standsUntil < isoDay(ctx.now()),
    seenAt,
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const moderatorId = context.get(memberContext).id;
  return await handleForm(request, rejectionSchema, async (rejection) => {
    await rejectDocuments(context.get(domainContext), {
      moderatorId,
      personId: params.personId,
      ...rejection,
    });
    return await redirectWithToast(request, "/admin/documents", {
      kind: "success",
      message: "Recusado. A pessoa foi avisada.",
    });
  });
}

export default function DocumentRejection({
  loaderData: {
    personId,
    sellerName,
    isCompany,
    isCompared,
    isApproved,
    standsUntil: approvedUntil,
    isOver,
    seenAt,
  },
  actionData,
}: Route.ComponentProps) {
  useFirstError(actionData);
  const isBusy = useNavigation().state !== "idle";
  const title = approvedUntil
    ? "Recusar o documento novo"
    : isApproved
      ? "Retirar a aprovação"
      : "Recusar documentos";
  const codes = rejectionCodes.filter(
    (code) =>
      (isCompany || (code !== "company_card" && code !== "not_representative")) &&
      (isCompared || code !== "number_of_another"),
  );
  return (
    <>
      <PageHeader
        title={title}
        lead={`De ${sellerName}. A pessoa lê o motivo e o que fazer, e pode mandar de novo; quem tem menos de 18 anos, só quando fizer 18.`}
      />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        {approvedUntil ? (
          <p>
            Um motivo que fala do arquivo (não dá para ler, não vale, vencido, selfie ou cartão
            CNPJ) recusa só o documento novo:{" "}
            {isOver
              ? `o de antes venceu em ${isoToDay(approvedUntil)}, e a pessoa tem 14 dias para mandar outro, com os saques parados`
              : `a aprovação segue até ${isoToDay(approvedUntil)}`}
            . Qualquer outro retira a aprovação: as vendas param e os saques esperam.
          </p>
        ) : isApproved ? (
          <p>
            Estes documentos estão aprovados. Sem a aprovação, as vendas param e os saques esperam
            até outros serem aprovados; o que já saiu não volta.
          </p>
        ) : null}
        <Form method="post" className="flex flex-col gap-5" noValidate>
          <FormMessage message={actionData?.message ?? actionData?.errors.seenAt} />
          <input type="hidden" name="seenAt" value={seenAt} />
          <Choices
            legend="Motivo"
            name="code"
            defaultValue={actionData?.values.code}
            error={actionData?.errors.code}
            options={codes.map((code) => ({
              value: code,
              label: REJECTION_REASONS[code].label,
              hint: [REJECTION_REASONS[code].says, REJECTION_REASONS[code].todo]
                .filter(Boolean)
                .join(" "),
            }))}
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
          <TextArea
            label="O que mais a pessoa precisa saber"
            name="note"
            rows={3}
            limit={300}
            required={false}
            defaultValue={actionData?.values.note}
            error={actionData?.errors.note}
          />
          <div className="flex flex-wrap gap-2">
            <Button variant="danger" disabled={isBusy}>
              {approvedUntil ? "Recusar" : title}
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
