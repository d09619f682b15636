import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { TeamCrumb } from "#app/components/teams/team-crumb.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { rejectRequest } from "#app/domain/teams/commands/requests.server.ts";
import { openRequest } from "#app/domain/teams/queries.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { requireSeat } from "#app/http/teams.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/request-rejection.ts";

export const meta: Route.MetaFunction = () => [{ title: "Recusar pedido · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const seat = await requireSeat({ context, slug: params.slug }, "members:manage");
  const { name } = foundOr404(
    await openRequest(context.get(domainContext), {
      teamId: seat.teamId,
      requestId: params.requestId,
    }),
    "Este pedido já foi respondido.",
  );
  return { team: { name: seat.teamName, slug: seat.slug }, name };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { teamId, slug } = await requireSeat({ context, slug: params.slug }, "members:manage");
  return handleForm(request, z.object({}), async () => {
    await rejectRequest(context.get(domainContext), {
      teamId,
      personId: context.get(memberContext).id,
      requestId: params.requestId,
    });
    return redirectWithToast(request, `/settings/teams/${slug}`, {
      kind: "success",
      message: "Pedido recusado.",
    });
  });
}

export default function RejectRequest({
  loaderData: { team, name },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <TeamCrumb team={team} />
      <PageHeader
        title={`Recusar ${name}?`}
        lead="A equipe deixa de aparecer para esta pessoa. Um convite continua sendo possível."
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-wrap gap-2">
          <FormMessage message={actionData?.message} />
          <Button variant="danger" disabled={isBusy}>
            Recusar
          </Button>
          <ButtonLink to={`/settings/teams/${team.slug}`} variant="outline">
            Decidir depois
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
