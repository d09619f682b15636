import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { removeEvidenceFile } from "#app/domain/disputes/commands/evidence.server.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { loadEditableDispute, disputePath } from "#app/http/money/dispute.server.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/evidence-removal.ts";

export const meta: Route.MetaFunction = () => [{ title: "Tirar o arquivo · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const { files } = await loadEditableDispute({ context }, params.id);
  const { name } = foundOr404(
    files.find((file) => file.id === params.fileId) ?? null,
    "Não encontramos este arquivo.",
  );
  return { id: params.id, name };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "disputes:answer",
    z.object({}),
    async (_, { member, space }) => {
      await removeEvidenceFile(context.get(domainContext), {
        disputeId: params.id,
        creatorId: space.personId,
        memberId: member.id,
        fileId: params.fileId,
      });
      return await redirectWithToast(request, `${disputePath(params.id)}/evidence`, {
        kind: "success",
        message: "Arquivo tirado da resposta.",
      });
    },
  );
}

export default function EvidenceRemoval({
  loaderData: { id, name },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader title="Tirar este arquivo?" lead={name} />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <ActingField />
          <FormMessage message={actionData?.message} />
          <p>Ele sai da resposta e é apagado daqui.</p>
          <div className="flex flex-wrap gap-2">
            <Button variant="danger" disabled={isBusy}>
              Tirar o arquivo
            </Button>
            <ButtonLink to={`/settings/transactions/disputes/${id}/evidence`} variant="outline">
              Voltar
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
