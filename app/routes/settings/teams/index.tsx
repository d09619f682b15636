import { Form, Link } from "react-router";
import { ClerkTeams } from "#app/components/clerk/clerk-teams.tsx";
import { TeamIdentity } from "#app/components/teams/team-identity.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { invitationsFor, memberSeats, suggestionsFor } from "#app/domain/teams/queries.server.ts";
import { ROLE_LABELS } from "#app/domain/teams/rules/roles.ts";
import { formatDay } from "#app/domain/time.ts";
import { clerkSettings } from "#app/lib/clerk.ts";
import { actorContext, cloudflareContext, domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/index.ts";

export const meta: Route.MetaFunction = () => [{ title: "Equipes · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { member, space, isOwn } = context.get(actorContext);
  const verifiedEmails = await ctx.accounts.verifiedEmails({
    personId: member.id,
    email: member.email,
  });
  const [seats, invitations, suggestions] = await Promise.all([
    memberSeats(ctx, { personId: member.id }),
    invitationsFor(ctx, { verifiedEmails }),
    suggestionsFor(ctx, { personId: member.id, verifiedEmails }),
  ]);
  return {
    teams: seats.map(({ teamId, teamName, slug, role, isOwner, logoMediaId, owner }) => ({
      teamId,
      name: teamName,
      slug,
      logoMediaId,
      isOwner,
      role: isOwner ? "Sua página" : ROLE_LABELS[role].label,
      ownerName: owner.name,
      isHere: isOwner ? isOwn : owner.personId === space.personId,
    })),
    invitations: invitations.map(({ id, teamName, ownerName, role, logoMediaId, expiresAt }) => ({
      id,
      name: teamName,
      ownerName,
      logoMediaId,
      role: ROLE_LABELS[role].label,
      until: formatDay(expiresAt),
    })),
    suggestions,
    mayCreate: member.isCreator && !seats.some((seat) => seat.isOwner),
    isCreator: member.isCreator,
    clerk: clerkSettings(context.get(cloudflareContext).env),
  };
}

export default function Teams({ loaderData }: Route.ComponentProps) {
  const { teams, invitations, suggestions, mayCreate, isCreator, clerk } = loaderData;
  if (clerk)
    return (
      <ClerkTeams publishableKey={clerk.publishableKey}>
        {teams.length > 0 ? <OwnTeams teams={teams} /> : null}
      </ClerkTeams>
    );
  const create = <ButtonLink to="/settings/teams/create">Criar equipe</ButtonLink>;
  return (
    <>
      <PageHeader
        title="Equipes"
        lead="Quem cuida de uma página junto, cada pessoa com o seu lugar."
      >
        {mayCreate && teams.length > 0 ? create : null}
      </PageHeader>
      <div className="flex flex-col gap-6">
        <Invitations invitations={invitations} />
        {teams.length > 0 ? <OwnTeams teams={teams} /> : null}
        {teams.length === 0 && invitations.length === 0 ? (
          <EmptyState
            title="Nenhuma equipe ainda"
            action={
              isCreator ? create : <ButtonLink to="/space/create">Abrir minha página</ButtonLink>
            }
          >
            {isCreator
              ? "Chame quem publica, responde e cuida dos planos com você."
              : "Uma equipe cuida de uma página. Abra a sua, ou peça um convite a quem já tem uma."}
          </EmptyState>
        ) : null}
        {teams.length === 0 && invitations.length > 0 && mayCreate ? <div>{create}</div> : null}
        <Suggestions suggestions={suggestions} />
      </div>
    </>
  );
}

type LoaderData = Route.ComponentProps["loaderData"];

function OwnTeams({ teams }: Pick<LoaderData, "teams">) {
  return (
    <ul className="flex flex-col gap-3">
      {teams.map((team) => (
        <Card
          as="li"
          key={team.teamId}
          className="flex flex-wrap items-center justify-between gap-3 p-5"
        >
          <Link
            to={`/settings/teams/${team.slug}`}
            className="flex min-w-0 flex-1 basis-52 hover:underline"
          >
            <TeamIdentity {...team} />
          </Link>
          <span className="flex flex-wrap items-center gap-2">
            <Badge tone="neutral">{team.role}</Badge>
            {team.isHere ? (
              <Badge tone="good">Você está aqui</Badge>
            ) : (
              <Form method="post" action="/settings/teams/acting">
                <input type="hidden" name="team" value={team.isOwner ? "" : team.teamId} />
                <Button
                  variant="outline"
                  size="sm"
                  aria-label={`Ir para a página de ${team.ownerName}`}
                >
                  Ir para a página
                </Button>
              </Form>
            )}
          </span>
        </Card>
      ))}
    </ul>
  );
}

function Invitations({ invitations }: Pick<LoaderData, "invitations">) {
  if (invitations.length === 0) return null;
  return (
    <section aria-labelledby="convites" className="flex flex-col gap-3">
      <h2 id="convites" className="text-heading">
        Convites para você
      </h2>
      <ul className="flex flex-col gap-3">
        {invitations.map((invitation) => (
          <Card
            as="li"
            key={invitation.id}
            className="flex flex-wrap items-center justify-between gap-3 p-5"
          >
            <TeamIdentity {...invitation} />
            <span className="flex flex-wrap items-center gap-3 text-small text-muted">
              {invitation.role} · até {invitation.until}
              <ButtonLink
                to={`/settings/teams/invitations/${invitation.id}`}
                size="sm"
                aria-label={`Ver convite de ${invitation.name}`}
              >
                Ver convite
              </ButtonLink>
            </span>
          </Card>
        ))}
      </ul>
    </section>
  );
}

function Suggestions({ suggestions }: Pick<LoaderData, "suggestions">) {
  if (suggestions.length === 0) return null;
  return (
    <section aria-labelledby="sugestoes" className="flex flex-col gap-3">
      <h2 id="sugestoes" className="text-heading">
        Do seu domínio
      </h2>
      <ul className="flex flex-col gap-3">
        {suggestions.map(
          ({ teamId, teamName, ownerName, logoMediaId, domain, isPending, enrolment }) => (
            <Card
              as="li"
              key={teamId}
              className="flex flex-wrap items-center justify-between gap-3 p-5"
            >
              <TeamIdentity name={teamName} ownerName={ownerName} logoMediaId={logoMediaId} />
              <span className="flex flex-wrap items-center gap-3 text-small text-muted">
                @{domain}
                {isPending ? (
                  <Badge tone="attention">Esperando resposta</Badge>
                ) : (
                  <ButtonLink
                    to={`/settings/teams/suggestions/${teamId}`}
                    size="sm"
                    variant="outline"
                    aria-label={`Entrar em ${teamName}`}
                  >
                    {enrolment === "automatic_invitation" ? "Entrar" : "Pedir para entrar"}
                  </ButtonLink>
                )}
              </span>
            </Card>
          ),
        )}
      </ul>
    </section>
  );
}
