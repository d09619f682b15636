import { Form, useNavigation } from "react-router";
import { RoleChoice } from "#app/components/teams/role-choice.tsx";
import { TeamCrumb } from "#app/components/teams/team-crumb.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import type { BadgeTone } from "#app/components/ui/badge.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextArea } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { inviteToTeam } from "#app/domain/teams/commands/invitations.server.ts";
import { invitationsStatement } from "#app/domain/teams/queries.server.ts";
import { invitationStatus } from "#app/domain/teams/rules.ts";
import { EMAILS_AT_ONCE, invitationFormSchema } from "#app/domain/teams/schema.ts";
import { ROLE_LABELS } from "#app/domain/teams/rules/roles.ts";
import type { InvitationStatus } from "#app/domain/teams/schema.ts";
import { countedFromTwo } from "#app/domain/text.ts";
import { formatDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { requireSeat } from "#app/http/teams.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/invitations.ts";

export const meta: Route.MetaFunction = () => [{ title: "Convites da equipe · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const seat = await requireSeat({ context, slug: params.slug }, "members:manage");
  const rows = await invitationsStatement(ctx, seat);
  const now = ctx.now();
  return {
    team: { name: seat.teamName, slug: seat.slug },
    invitations: rows.map(({ id, email, role, createdAt, ...row }) => ({
      id,
      email,
      role: ROLE_LABELS[role].label,
      sent: formatDay(createdAt),
      until: formatDay(row.expiresAt),
      status: invitationStatus(row, now),
    })),
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const member = context.get(memberContext);
  const { teamId, slug } = await requireSeat({ context, slug: params.slug }, "members:manage");
  return handleForm(request, invitationFormSchema, async ({ emails, role }) => {
    await inviteToTeam(context.get(domainContext), {
      teamId,
      personId: member.id,
      inviterName: member.name,
      emails,
      role,
    });
    const message = countedFromTwo(emails.length, "Convite enviado.", "convites enviados.");
    return redirectWithToast(request, `/settings/teams/${slug}/invitations`, {
      kind: "success",
      message,
    });
  });
}

const STATUS: Record<InvitationStatus, { label: string; tone: BadgeTone }> = {
  pending: { label: "Esperando", tone: "attention" },
  accepted: { label: "Aceito", tone: "good" },
  revoked: { label: "Cancelado", tone: "neutral" },
  expired: { label: "Expirou", tone: "neutral" },
};

export default function TeamInvitations({
  loaderData: { team, invitations },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  useFirstError(actionData);
  return (
    <>
      <TeamCrumb team={team} />
      <PageHeader
        title="Convidar"
        lead="Cada pessoa recebe um e-mail com o convite, que vale por 14 dias."
      />
      <div className="flex flex-col gap-6">
        <Card className="p-5 sm:p-6">
          <Form method="post" noValidate className="flex flex-col gap-5" key={invitations.length}>
            <FormMessage message={actionData?.message} />
            <TextArea
              label="E-mails"
              name="emails"
              rows={3}
              required
              autoCapitalize="none"
              spellCheck={false}
              hint={`Separe por espaços ou vírgulas, até ${EMAILS_AT_ONCE} por vez.`}
              defaultValue={actionData?.values.emails}
              error={actionData?.errors.emails}
            />
            <RoleChoice defaultValue={actionData?.values.role} error={actionData?.errors.role} />
            <Button size="lg" disabled={isBusy} className="self-start">
              Enviar convites
            </Button>
          </Form>
        </Card>
        <section aria-labelledby="enviados" className="flex flex-col gap-3">
          <h2 id="enviados" className="text-heading">
            Enviados
          </h2>
          {invitations.length === 0 ? <p className="text-muted">Nenhum convite ainda.</p> : null}
          <ul className="flex flex-col gap-3">
            {invitations.map((invitation) => (
              <Card
                as="li"
                key={invitation.id}
                className="flex flex-wrap items-center justify-between gap-3 p-5"
              >
                <span className="flex min-w-0 flex-1 basis-52 flex-col">
                  <span className="font-semibold wrap-anywhere">{invitation.email}</span>
                  <span className="text-small text-muted">
                    {invitation.role} · enviado em {invitation.sent}
                    {invitation.status === "pending" ? `, até ${invitation.until}` : ""}
                  </span>
                </span>
                <span className="flex flex-wrap items-center gap-2">
                  <Badge tone={STATUS[invitation.status].tone}>
                    {STATUS[invitation.status].label}
                  </Badge>
                  {invitation.status === "pending" ? (
                    <ButtonLink
                      to={`/settings/teams/${team.slug}/invitations/${invitation.id}/revocation`}
                      variant="outline"
                      size="sm"
                      aria-label={`Cancelar convite de ${invitation.email}`}
                    >
                      Cancelar
                    </ButtonLink>
                  ) : null}
                </span>
              </Card>
            ))}
          </ul>
        </section>
      </div>
    </>
  );
}
