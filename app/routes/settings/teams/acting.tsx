import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { TeamCrumb } from "#app/components/teams/team-crumb.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { TeamNotFound } from "#app/domain/teams/errors.ts";
import { memberSeats, activeSeat } from "#app/domain/teams/queries.server.ts";
import { ownActor, actorPageLabel, teamActor } from "#app/domain/teams/rules/actor.ts";
import { ROLE_LABELS } from "#app/domain/teams/rules/roles.ts";
import { actingCookie } from "#app/http/acting.server.ts";
import { actorContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { internalPath } from "#app/lib/own-path.ts";
import type { Route } from "./+types/acting.ts";

export const meta: Route.MetaFunction = () => [{ title: "Onde você está · Coreto" }];

/** An empty team means the member's own page. `to` is the path to open then. */
const actingSchema = z.object({
  team: z.string().max(64).default(""),
  to: z.string().max(200).default("/me"),
});

export async function loader({ context }: Route.LoaderArgs) {
  const actor = context.get(actorContext);
  const seats = await memberSeats(context.get(domainContext), { personId: actor.member.id });
  const others = seats.filter((seat) => !seat.isOwner);
  const places = others.map((seat) => ({
    teamId: seat.teamId,
    label: `Página de ${seat.owner.name}`,
    hint: `${seat.teamName} · ${ROLE_LABELS[seat.role].label}`,
    isHere: seat.owner.personId === actor.space.personId,
  }));
  return {
    here: actorPageLabel(actor),
    places: [
      { teamId: "", label: "Sua página", hint: `@${actor.member.username}`, isHere: actor.isOwn },
      ...places,
    ],
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  return handleForm(request, actingSchema, async ({ team, to }) => {
    const member = context.get(memberContext);
    const seat =
      team === ""
        ? null
        : await activeSeat(context.get(domainContext), { teamId: team, personId: member.id });
    if (team !== "" && !seat) throw new TeamNotFound();
    const actor = seat ? teamActor(member, seat) : ownActor(member);
    const headers = new Headers({ "Set-Cookie": actingCookie(actor.isOwn ? null : team) });
    return redirectWithToast(
      request,
      internalPath(to, "/me"),
      { kind: "info", message: `Agora você está em: ${actorPageLabel(actor)}.` },
      headers,
    );
  });
}

export default function ActingFor({
  loaderData: { here, places },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <TeamCrumb />
      <PageHeader
        title="Onde você está"
        lead={`Você está em: ${here}. Publicações, planos, mensagens e números são de onde você está; curtidas, comentários e a sua conta são sempre seus.`}
      />
      <FormMessage message={actionData?.message} />
      <ul className="flex flex-col gap-3">
        {places.map((place) => (
          <Card
            as="li"
            key={place.teamId}
            className="flex flex-wrap items-center justify-between gap-3 p-5"
          >
            <span className="flex min-w-0 flex-1 basis-52 flex-col">
              <span className="font-semibold wrap-anywhere">{place.label}</span>
              <span className="text-small text-muted wrap-anywhere">{place.hint}</span>
            </span>
            {place.isHere ? (
              <Badge tone="good">Você está aqui</Badge>
            ) : (
              <Form method="post">
                <input type="hidden" name="team" value={place.teamId} />
                <Button
                  variant="outline"
                  disabled={isBusy}
                  aria-label={`Ir para lá: ${place.label}`}
                >
                  Ir para lá
                </Button>
              </Form>
            )}
          </Card>
        ))}
      </ul>
    </>
  );
}
