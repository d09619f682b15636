import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { EvidenceFiles } from "#app/components/payments/evidence-files.tsx";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { submitEvidence } from "#app/domain/disputes/commands/answer.server.ts";
import { evidenceSubmitProblem } from "#app/domain/disputes/rules/answers.ts";
import { saleEvidenceLines } from "#app/domain/disputes/rules/sale-evidence.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { loadEditableDispute, disputePath } from "#app/http/money/dispute.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/answer.ts";

export const meta: Route.MetaFunction = () => [{ title: "Enviar a resposta · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const { dispute, answer, files, evidence } = await loadEditableDispute({ context }, params.id);
  if (evidenceSubmitProblem(dispute, answer, files.length, context.get(domainContext).now()))
    throw redirect(`${disputePath(params.id)}/evidence`);
  return {
    id: dispute.id,
    text: answer?.text ?? "",
    files: files.map(({ id, kind, name, sizeBytes }) => ({ id, kind, name, sizeBytes })),
    evidence: saleEvidenceLines(evidence),
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "disputes:answer",
    z.object({}),
    async (_, { member, space }) => {
      await submitEvidence(context.get(domainContext), {
        disputeId: params.id,
        creatorId: space.personId,
        memberId: member.id,
      });
      return await redirectWithToast(request, disputePath(params.id), {
        kind: "success",
        message: "Resposta enviada. Avisamos você quando o banco decidir.",
      });
    },
  );
}

export default function Answer({
  loaderData: { id, text, files, evidence },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader
        title="Enviar esta resposta?"
        lead="Vai para o banco de quem pagou, uma vez só. Depois de enviada, não muda mais."
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <ActingField />
          <FormMessage message={actionData?.message} />
          {text ? (
            <p dir="auto" className="whitespace-pre-line wrap-anywhere">
              {text}
            </p>
          ) : null}
          {files.length > 0 ? (
            <EvidenceFiles disputeId={id} files={files} removable={false} />
          ) : null}
          <section className="flex flex-col gap-2 border-t border-line pt-4">
            <h2 className="font-semibold">O que o Coreto envia junto</h2>
            <ul className="flex list-disc flex-col gap-2 pl-5 text-muted">
              {evidence.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </section>
          <div className="flex flex-wrap gap-2">
            <Button disabled={isBusy}>Enviar a resposta</Button>
            <ButtonLink to={`/settings/transactions/disputes/${id}/evidence`} variant="outline">
              Mudar algo
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
