import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { TeamCrumb } from "#app/components/teams/team-crumb.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { revokeInvitation } from "#app/domain/teams/commands/invitations.server.ts";
import { invitationById } from "#app/domain/teams/queries.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { requireSeat } from "#app/http/teams.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/invitation-revocation.ts";

export const meta: Route.MetaFunction = () => [{ title: "Cancelar convite · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const seat = await requireSeat({ context, slug: params.slug }, "members:manage");
  const invitation = await invitationById(context.get(domainContext), {
    invitationId: params.invitationId,
  });
  const { email } = foundOr404(
    invitation?.teamId === seat.teamId ? invitation : null,
    "Este convite não existe mais.",
  );
  return { team: { name: seat.teamName, slug: seat.slug }, email };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { teamId, slug } = await requireSeat({ context, slug: params.slug }, "members:manage");
  return handleForm(request, z.object({}), async () => {
    await revokeInvitation(context.get(domainContext), {
      teamId,
      personId: context.get(memberContext).id,
      invitationId: params.invitationId,
    });
    return redirectWithToast(request, `/settings/teams/${slug}/invitations`, {
      kind: "success",
      message: "Convite cancelado.",
    });
  });
}

export default function RevokeInvitation({
  loaderData: { team, email },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <TeamCrumb team={team} />
      <PageHeader
        title="Cancelar este convite?"
        lead={`O link enviado para ${email} deixa de funcionar.`}
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-wrap gap-2">
          <FormMessage message={actionData?.message} />
          <Button variant="danger" disabled={isBusy}>
            Cancelar convite
          </Button>
          <ButtonLink to={`/settings/teams/${team.slug}/invitations`} variant="outline">
            Manter
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
