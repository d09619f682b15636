import { Form, redirect, useNavigation } from "react-router";
import { providerLabel } from "#app/components/ledger/provider-label.ts";
import { z } from "zod";
import { EvidenceFiles } from "#app/components/payments/evidence-files.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { markAnswerSentManually } from "#app/domain/disputes/commands/answer.server.ts";
import { disputeDetail } from "#app/domain/disputes/queries/dispute-detail.server.ts";
import type { DisputeDetail } from "#app/domain/disputes/queries/dispute-detail.server.ts";
import { saleEvidenceLines } from "#app/domain/disputes/rules/sale-evidence.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { isUninvolvedModerator } from "#app/http/money/dispute.server.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/dispute-sending.ts";

const LIST = "/admin/disputes";

export const meta: Route.MetaFunction = () => [{ title: "Enviar ao provedor · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { dispute, charge, answer, files, evidence } = await impartially({ context }, params.id);
  if (answer?.status !== "by_hand") throw redirect(LIST);
  ctx.log("disputes.opened", { disputeId: dispute.id, moderatorId: context.get(memberContext).id });
  return {
    id: dispute.id,
    provider: charge.provider,
    providerDisputeId: dispute.providerDisputeId,
    text: answer.text,
    files: files.map(({ id, kind, name, sizeBytes }) => ({ id, kind, name, sizeBytes })),
    evidence: saleEvidenceLines(evidence),
  };
}

/** Loads the dispute for a moderator without a conflict of interest. Others get 404. */
async function impartially(
  { context }: Pick<Route.ActionArgs, "context">,
  disputeId: string,
): Promise<DisputeDetail> {
  const detail = await disputeDetail(context.get(domainContext), { disputeId });
  const isFor =
    detail !== null &&
    isUninvolvedModerator(context.get(memberContext), {
      payerId: detail.charge.payerId,
      creatorId: detail.dispute.creatorId,
    });
  return foundOr404(isFor ? detail : null, "Não encontramos esta contestação.");
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await handleForm(request, z.object({}), async () => {
    await impartially({ context }, params.id);
    await markAnswerSentManually(context.get(domainContext), {
      disputeId: params.id,
      moderatorId: context.get(memberContext).id,
    });
    return await redirectWithToast(request, LIST, {
      kind: "success",
      message: "Anotado: a resposta foi enviada.",
    });
  });
}

export default function DisputeSending({
  loaderData: { id, provider, providerDisputeId, text, files, evidence },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader
        title="Enviar ao provedor"
        lead={`Na página do provedor (${providerLabel(provider)}), contestação ${providerDisputeId}.`}
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <FormMessage message={actionData?.message} />
          {text ? (
            <p dir="auto" className="whitespace-pre-line wrap-anywhere">
              {text}
            </p>
          ) : null}
          <ul className="flex list-disc flex-col gap-2 pl-5">
            {evidence.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          {files.length > 0 ? (
            <EvidenceFiles disputeId={id} files={files} removable={false} />
          ) : null}
          <div className="flex flex-wrap gap-2">
            <Button disabled={isBusy}>Já enviei</Button>
            <ButtonLink to={LIST} variant="outline">
              Voltar
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
