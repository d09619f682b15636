import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { TeamCrumb } from "#app/components/teams/team-crumb.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { removeMember } from "#app/domain/teams/commands/members.server.ts";
import { memberOfTeam } from "#app/domain/teams/queries.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { requireSeat } from "#app/http/teams.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/member-removal.ts";

export const meta: Route.MetaFunction = () => [{ title: "Tirar da equipe · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const seat = await requireSeat({ context, slug: params.slug }, "members:manage");
  const { name } = foundOr404(
    await memberOfTeam(context.get(domainContext), {
      teamId: seat.teamId,
      personId: params.personId,
    }),
    "Esta pessoa não está na equipe.",
  );
  return { team: { name: seat.teamName, slug: seat.slug }, name };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { teamId, slug } = await requireSeat({ context, slug: params.slug }, "members:manage");
  return handleForm(request, z.object({}), async () => {
    await removeMember(context.get(domainContext), {
      teamId,
      personId: context.get(memberContext).id,
      memberId: params.personId,
    });
    return redirectWithToast(request, `/settings/teams/${slug}`, {
      kind: "success",
      message: "Esta pessoa não está mais na equipe.",
    });
  });
}

export default function RemoveMember({
  loaderData: { team, name },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <TeamCrumb team={team} />
      <PageHeader
        title={`Tirar ${name} da equipe?`}
        lead="Vale na hora. O que esta pessoa publicou continua na página."
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-wrap gap-2">
          <FormMessage message={actionData?.message} />
          <Button variant="danger" disabled={isBusy}>
            Tirar da equipe
          </Button>
          <ButtonLink to={`/settings/teams/${team.slug}`} variant="outline">
            Manter
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
