import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { TeamCrumb } from "#app/components/teams/team-crumb.tsx";
import { TeamIdentity } from "#app/components/teams/team-identity.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { joinOrRequest } from "#app/domain/teams/commands/requests.server.ts";
import { suggestionsFor } from "#app/domain/teams/queries.server.ts";
import { ROLE_LABELS } from "#app/domain/teams/rules/roles.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/suggestion.ts";

export const meta: Route.MetaFunction = () => [{ title: "Entrar na equipe · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const member = context.get(memberContext);
  const verifiedEmails = await ctx.accounts.verifiedEmails({
    personId: member.id,
    email: member.email,
  });
  const suggested = await suggestionsFor(ctx, { personId: member.id, verifiedEmails });
  const { teamName, ownerName, logoMediaId, domain, enrolment, isPending } = foundOr404(
    suggested.find((team) => team.teamId === params.teamId),
    "Não encontramos esta equipe.",
  );
  return {
    name: teamName,
    ownerName,
    logoMediaId,
    domain,
    joinsAtOnce: enrolment === "automatic_invitation",
    isPending,
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const member = context.get(memberContext);
  return handleForm(request, z.object({}), async () => {
    const verifiedEmails = await ctx.accounts.verifiedEmails({
      personId: member.id,
      email: member.email,
    });
    const { outcome, teamName } = await joinOrRequest(ctx, {
      teamId: params.teamId,
      personId: member.id,
      personName: member.name,
      verifiedEmails,
    });
    const message =
      outcome === "joined"
        ? `Você entrou na equipe ${teamName}.`
        : "Pedido enviado. Quem administra a equipe vai responder.";
    return redirectWithToast(request, "/settings/teams", { kind: "success", message });
  });
}

export default function TeamSuggestion({ loaderData: team, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <TeamCrumb />
      <PageHeader title={team.joinsAtOnce ? "Entrar na equipe" : "Pedir para entrar"} />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <div className="flex">
          <TeamIdentity {...team} />
        </div>
        <p>
          {team.joinsAtOnce
            ? `Quem tem e-mail de ${team.domain} pode entrar. O seu lugar: ${ROLE_LABELS.guest_member.label}. ${ROLE_LABELS.guest_member.hint}`
            : `Quem tem e-mail de ${team.domain} pode pedir para entrar. Quem administra a equipe responde.`}
        </p>
        <Form method="post" className="flex flex-wrap gap-2">
          <FormMessage message={actionData?.message} />
          {team.isPending ? (
            <p className="text-muted">O seu pedido já foi enviado.</p>
          ) : (
            <Button disabled={isBusy}>{team.joinsAtOnce ? "Entrar" : "Enviar pedido"}</Button>
          )}
          <ButtonLink to="/settings/teams" variant="outline">
            {team.isPending ? "Voltar" : "Agora não"}
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
