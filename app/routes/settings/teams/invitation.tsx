import { data, Form, useNavigation } from "react-router";
import { z } from "zod";
import { TeamCrumb } from "#app/components/teams/team-crumb.tsx";
import { TeamIdentity } from "#app/components/teams/team-identity.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { acceptInvitation } from "#app/domain/teams/commands/invitations.server.ts";
import { invitationById } from "#app/domain/teams/queries.server.ts";
import { invitationStatus, maskEmail } from "#app/domain/teams/rules.ts";
import { ROLE_LABELS } from "#app/domain/teams/rules/roles.ts";
import type { InvitationStatus } from "#app/domain/teams/schema.ts";
import { formatDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/invitation.ts";

export const meta: Route.MetaFunction = () => [{ title: "Convite · Coreto" }];

/**
 * Loads the invitation. Other people learn only that it is not theirs: neither the team nor the
 * whole address.
 */
export async function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const member = context.get(memberContext);
  const invitation = foundOr404(
    await invitationById(ctx, { invitationId: params.invitationId }),
    "Este convite não existe mais.",
  );
  const emails = await ctx.accounts.verifiedEmails({ personId: member.id, email: member.email });
  if (invitation.acceptedBy !== member.id && !emails.includes(invitation.email))
    return data(
      {
        theirs: null,
        isYours: invitation.email === member.email,
        masked: maskEmail(invitation.email),
      },
      { status: 403 },
    );
  const { teamName: name, ownerName, logoMediaId, role, slug, expiresAt } = invitation;
  const status = invitationStatus(invitation, ctx.now());
  return data({
    theirs: {
      name,
      ownerName,
      logoMediaId,
      slug,
      role: ROLE_LABELS[role],
      until: formatDay(expiresAt),
      status,
    },
    isYours: true,
    masked: "",
  });
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const member = context.get(memberContext);
  return handleForm(request, z.object({}), async () => {
    const verifiedEmails = await ctx.accounts.verifiedEmails({
      personId: member.id,
      email: member.email,
    });
    const { teamName, slug } = await acceptInvitation(ctx, {
      invitationId: params.invitationId,
      personId: member.id,
      personName: member.name,
      verifiedEmails,
    });
    return redirectWithToast(request, `/settings/teams/${slug}`, {
      kind: "success",
      message: `Você entrou na equipe ${teamName}.`,
    });
  });
}

const ENDED: Record<Exclude<InvitationStatus, "pending">, string> = {
  accepted: "Este convite já foi aceito.",
  revoked: "Este convite foi cancelado. Peça outro a quem convidou você.",
  expired: "Este convite expirou. Peça outro a quem convidou você.",
};

export default function Invitation({
  loaderData: { theirs, isYours, masked },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  if (!theirs) return <NotYours isUnproven={isYours} masked={masked} />;
  return (
    <>
      <TeamCrumb />
      <PageHeader title={`Convite: ${theirs.name}`} />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <div className="flex">
          <TeamIdentity {...theirs} />
        </div>
        <p>
          O seu lugar: <strong>{theirs.role.label}</strong>. {theirs.role.hint}
        </p>
        {theirs.status === "pending" ? (
          <Form method="post" className="flex flex-wrap items-center gap-3">
            <FormMessage message={actionData?.message} />
            <Button size="lg" disabled={isBusy}>
              Aceitar convite
            </Button>
            <span className="text-small text-muted">Vale até {theirs.until}.</span>
          </Form>
        ) : (
          <>
            <FormMessage message={ENDED[theirs.status]} />
            <ButtonLink
              to={
                theirs.status === "accepted" ? `/settings/teams/${theirs.slug}` : "/settings/teams"
              }
              variant="outline"
              className="self-start"
            >
              {theirs.status === "accepted" ? "Ver a equipe" : "Ver as suas equipes"}
            </ButtonLink>
          </>
        )}
      </Card>
    </>
  );
}

function NotYours({ isUnproven, masked }: { isUnproven: boolean; masked: string }) {
  return (
    <>
      <TeamCrumb />
      <PageHeader title={isUnproven ? "Confirme o seu e-mail" : "Este convite é de outro e-mail"} />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <p>
          {isUnproven
            ? `O convite é para ${masked}. Confirme este e-mail na sua conta e abra o link de novo.`
            : `O convite é para ${masked}. Entre com a conta desse e-mail, ou junte e confirme o e-mail na sua conta.`}
        </p>
        <ButtonLink to={isUnproven ? "/auth/verify" : "/auth/account"} className="self-start">
          {isUnproven ? "Confirmar e-mail" : "Ver a minha conta"}
        </ButtonLink>
      </Card>
    </>
  );
}
