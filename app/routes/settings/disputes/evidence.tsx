import { useNavigation } from "react-router";
import { EVIDENCE_LABELS } from "#app/components/payments/dispute-labels.ts";
import { EvidenceFiles } from "#app/components/payments/evidence-files.tsx";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FileField, SelectField, TextArea } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { GuardedForm } from "#app/components/ui/fields/guarded-form.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { saveEvidence } from "#app/domain/disputes/commands/evidence.server.ts";
import { EvidenceKindMissing } from "#app/domain/disputes/errors.ts";
import {
  ACCEPTED_EVIDENCE,
  evidenceSchema,
  EVIDENCE_TEXT_MAX,
} from "#app/domain/disputes/schema.ts";
import { evidenceKinds } from "#app/domain/payments/schema.ts";
import { formatMinute } from "#app/domain/time.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { loadEditableDispute, disputePath } from "#app/http/money/dispute.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/evidence.ts";

export const meta: Route.MetaFunction = () => [{ title: "Responder à contestação · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const { dispute, answer, files } = await loadEditableDispute({ context }, params.id);
  return {
    id: dispute.id,
    respondBy: dispute.respondBy,
    text: answer?.text ?? "",
    files: files.map(({ id, kind, name, sizeBytes }) => ({ id, kind, name, sizeBytes })),
    mayReview: answer !== null && (answer.text !== "" || files.length > 0),
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "disputes:answer",
    evidenceSchema,
    async ({ text, kind, file }, { member, space }) => {
      if (file && !kind) throw new EvidenceKindMissing();
      const sent =
        file && kind
          ? { kind, name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
          : null;
      await saveEvidence(context.get(domainContext), {
        disputeId: params.id,
        creatorId: space.personId,
        memberId: member.id,
        text,
        file: sent,
      });
      return await redirectWithToast(request, `${disputePath(params.id)}/evidence`, {
        kind: "success",
        message: sent ? "Arquivo guardado." : "Resposta guardada.",
      });
    },
  );
}

export default function Evidence({
  loaderData: { id, respondBy, text, files, mayReview },
  actionData,
}: Route.ComponentProps) {
  useFirstError(actionData);
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader
        title="Responder à contestação"
        lead={`Conte o que foi comprado e mostre que foi entregue. A resposta vai uma vez só${respondBy === null ? "" : `, até ${formatMinute(respondBy)}`}.`}
      />
      <div className="flex flex-col gap-6">
        <Card className="p-5 sm:p-6">
          <GuardedForm
            method="post"
            encType="multipart/form-data"
            className="flex flex-col gap-5"
            noValidate
          >
            <ActingField />
            <FormMessage message={actionData?.message} />
            <TextArea
              label="O que aconteceu"
              name="text"
              rows={8}
              limit={EVIDENCE_TEXT_MAX}
              defaultValue={actionData?.values.text ?? text}
              error={actionData?.errors.text}
              hint={`Até ${EVIDENCE_TEXT_MAX.toLocaleString("pt-BR")} letras. Fatos, datas e nomes ajudam mais do que opiniões.`}
            />
            <FileField
              label="Juntar um arquivo"
              name="file"
              accept={ACCEPTED_EVIDENCE}
              required={false}
              error={actionData?.errors.file}
              hint="PDF, JPG ou PNG de até 5 MB, um de cada tipo."
            />
            <SelectField
              label="O que o arquivo mostra"
              name="kind"
              defaultValue={actionData?.values.kind ?? ""}
              error={actionData?.errors.kind}
              options={[
                { value: "", label: "Escolha, se juntar um arquivo" },
                ...evidenceKinds.map((kind) => ({
                  value: kind,
                  label: `${EVIDENCE_LABELS[kind]}${files.some((file) => file.kind === kind) ? " (troca o que está lá)" : ""}`,
                })),
              ]}
            />
            <div className="flex flex-wrap gap-2">
              <Button disabled={isBusy}>Guardar rascunho da resposta</Button>
              <ButtonLink to={disputePathOf(id)} variant="outline">
                Voltar
              </ButtonLink>
            </div>
          </GuardedForm>
        </Card>
        {files.length > 0 ? (
          <Card as="section" label="Arquivos juntados" className="p-5 sm:p-6">
            <EvidenceFiles disputeId={id} files={files} removable />
          </Card>
        ) : null}
        {mayReview ? (
          <Card className="flex flex-col gap-4 p-5 sm:p-6">
            <p>Guardou tudo? Veja o que vai ser enviado antes de decidir.</p>
            <ButtonLink to={`${disputePathOf(id)}/answer`} className="self-start">
              Revisar e enviar
            </ButtonLink>
          </Card>
        ) : null}
      </div>
    </>
  );
}

const disputePathOf = (id: string) => `/settings/transactions/disputes/${id}`;
