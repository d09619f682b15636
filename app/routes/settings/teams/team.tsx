import { counted } from "#app/domain/text.ts";
import { Link } from "react-router";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { TeamCrumb } from "#app/components/teams/team-crumb.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { membersStatement, requestsStatement } from "#app/domain/teams/queries.server.ts";
import { isPermitted, teamPositionOf } from "#app/domain/teams/rules.ts";
import { ENROLMENT_LABELS, ROLE_LABELS } from "#app/domain/teams/rules/roles.ts";
import { formatDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { requireSeat } from "#app/http/teams.server.ts";
import type { Route } from "./+types/team.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.team.name ?? "Equipe"} · Coreto` },
];

export async function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const seat = await requireSeat({ context, slug: params.slug });
  const position = teamPositionOf(seat);
  const isOfProvider = seat.provider !== null;
  const manages = isPermitted(position, "members:manage") && !isOfProvider;
  const [members, requests] = await ctx.db.batch([
    membersStatement(ctx, seat),
    requestsStatement(ctx, seat),
  ]);
  return {
    team: {
      name: seat.teamName,
      slug: seat.slug,
      ownerName: seat.owner.name,
      logoUrl: seat.logoMediaId && mediaUrl(seat.logoMediaId, "320"),
      domain: seat.domain,
      enrolment: ENROLMENT_LABELS[seat.enrolment].label,
    },
    members: members.map(({ avatarMediaId, joinedAt, ...member }) => ({
      ...member,
      avatarUrl: avatarMediaId && mediaUrl(avatarMediaId, "320"),
      since: formatDay(joinedAt),
    })),
    requests: manages
      ? requests.map(({ requestId, name, username, avatarMediaId, createdAt }) => ({
          requestId,
          name,
          username,
          avatarUrl: avatarMediaId && mediaUrl(avatarMediaId, "320"),
          since: formatDay(createdAt),
        }))
      : [],
    me: context.get(memberContext).id,
    isOwner: seat.isOwner,
    isOfProvider,
    manages,
  };
}

export default function Team({ loaderData }: Route.ComponentProps) {
  const { team, members, requests, me, manages } = loaderData;
  return (
    <>
      <TeamCrumb />
      <PageHeader
        title={team.name}
        lead={`Cuida da página de ${team.ownerName}. ${team.domain ? `@${team.domain}: ${team.enrolment.toLowerCase()}.` : "Entra quem recebe convite."}`}
      >
        {team.logoUrl ? <Avatar name={team.name} src={team.logoUrl} size="lg" /> : null}
      </PageHeader>
      <div className="flex flex-col gap-6">
        <Actions {...loaderData} />
        <Requests requests={requests} slug={team.slug} />
        <section aria-labelledby="pessoas" className="flex flex-col gap-3">
          <h2 id="pessoas" className="text-heading">
            {counted(members.length, "pessoa", "pessoas")}
          </h2>
          <Card className="overflow-hidden">
            <ul className="divide-y divide-line">
              {members.map((member) => (
                <li
                  key={member.personId}
                  className="flex flex-wrap items-center justify-between gap-3 px-5 py-4"
                >
                  <Person {...member} isMe={member.personId === me} />
                  <span className="flex flex-wrap items-center gap-2">
                    <Badge tone={member.isOwner ? "good" : "neutral"}>
                      {member.isOwner ? "A página é desta pessoa" : ROLE_LABELS[member.role].label}
                    </Badge>
                    {member.mayManageBilling && !member.isOwner ? (
                      <Badge tone="attention">Vê o dinheiro</Badge>
                    ) : null}
                    {manages && !member.isOwner ? (
                      <ButtonLink
                        to={`/settings/teams/${team.slug}/members/${member.personId}`}
                        variant="outline"
                        size="sm"
                        aria-label={`Mudar o lugar de ${member.name}`}
                      >
                        Mudar
                      </ButtonLink>
                    ) : null}
                  </span>
                </li>
              ))}
            </ul>
          </Card>
        </section>
      </div>
    </>
  );
}

type LoaderData = Route.ComponentProps["loaderData"];

function Actions({ team, isOwner, isOfProvider, manages }: LoaderData) {
  if (isOfProvider) {
    return (
      <p className="text-muted">
        Esta equipe muda nas{" "}
        <Link
          to="/settings/teams/manage"
          className="inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2"
        >
          configurações da equipe
        </Link>
        .
      </p>
    );
  }
  const base = `/settings/teams/${team.slug}`;
  return (
    <nav aria-label="Da equipe" className="flex flex-wrap gap-2">
      {manages ? (
        <>
          <ButtonLink to={`${base}/invitations`}>Convidar</ButtonLink>
          <ButtonLink to={`${base}/profile`} variant="outline">
            Editar equipe
          </ButtonLink>
          <ButtonLink to={`${base}/domain`} variant="outline">
            Domínio
          </ButtonLink>
        </>
      ) : null}
      <ButtonLink to={isOwner ? `${base}/deletion` : `${base}/leave`} variant="outline">
        {isOwner ? "Excluir equipe" : "Sair da equipe"}
      </ButtonLink>
    </nav>
  );
}

function Requests({ requests, slug }: Pick<LoaderData, "requests"> & { slug: string }) {
  if (requests.length === 0) return null;
  return (
    <section aria-labelledby="pedidos" className="flex flex-col gap-3">
      <h2 id="pedidos" className="text-heading">
        Pedidos para entrar
      </h2>
      <Card className="overflow-hidden">
        <ul className="divide-y divide-line">
          {requests.map((request) => (
            <li
              key={request.requestId}
              className="flex flex-wrap items-center justify-between gap-3 px-5 py-4"
            >
              <Person {...request} isMe={false} />
              <span className="flex flex-wrap gap-2">
                <ButtonLink
                  to={`/settings/teams/${slug}/requests/${request.requestId}/approval`}
                  size="sm"
                  aria-label={`Aprovar ${request.name}`}
                >
                  Aprovar
                </ButtonLink>
                <ButtonLink
                  to={`/settings/teams/${slug}/requests/${request.requestId}/rejection`}
                  variant="outline"
                  size="sm"
                  aria-label={`Recusar ${request.name}`}
                >
                  Recusar
                </ButtonLink>
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}

function Person({
  name,
  username,
  avatarUrl,
  since,
  isMe,
}: {
  name: string;
  username: string;
  avatarUrl: string | null;
  since: string;
  isMe: boolean;
}) {
  return (
    <span className="flex min-w-0 flex-1 basis-52 items-center gap-3">
      <Avatar name={name} src={avatarUrl} size="md" />
      <span className="flex min-w-0 flex-col">
        <span className="font-semibold wrap-anywhere">
          {name}
          {isMe ? <span className="font-normal text-muted"> (você)</span> : null}
        </span>
        <span className="text-small text-muted wrap-anywhere">
          @{username} · desde {since}
        </span>
      </span>
    </span>
  );
}
