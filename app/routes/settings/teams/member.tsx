import { Form, useNavigation } from "react-router";
import { RoleChoice } from "#app/components/teams/role-choice.tsx";
import { TeamCrumb } from "#app/components/teams/team-crumb.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { CheckboxField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { changeMember } from "#app/domain/teams/commands/members.server.ts";
import { memberOfTeam } from "#app/domain/teams/queries.server.ts";
import { memberFormSchema } from "#app/domain/teams/schema.ts";
import { requireReauthentication } from "#app/http/identity/account.server.ts";
import { cloudflareContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { requireSeat } from "#app/http/teams.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/member.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.member.name ?? "Equipe"} · Coreto` },
];

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const seat = await requireSeat({ context, slug: params.slug }, "members:manage");
  // A role can give access to the money, so the member reauthenticates before they choose one.
  if (seat.isOwner)
    await requireReauthentication(
      { env: context.get(cloudflareContext).env, ctx, request },
      pathOf(params),
    );
  const member = foundOr404(
    await memberOfTeam(ctx, { teamId: seat.teamId, personId: params.personId }),
    "Esta pessoa não está na equipe.",
  );
  const { name, role, mayManageBilling, isOwner } = member;
  return {
    team: { name: seat.teamName, slug: seat.slug },
    member: { name, role, mayManageBilling, isOwner },
    grantsBilling: seat.isOwner,
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const { teamId, slug } = await requireSeat({ context, slug: params.slug }, "members:manage");
  return handleForm(request, memberFormSchema, async ({ role, mayManageBilling }) => {
    if (mayManageBilling)
      await requireReauthentication(
        { env: context.get(cloudflareContext).env, ctx, request },
        pathOf(params),
      );
    await changeMember(ctx, {
      teamId,
      personId: context.get(memberContext).id,
      memberId: params.personId,
      role,
      mayManageBilling,
    });
    return redirectWithToast(request, `/settings/teams/${slug}`, {
      kind: "success",
      message: "Lugar na equipe salvo.",
    });
  });
}

const pathOf = ({ slug, personId }: { slug: string; personId: string }) =>
  `/settings/teams/${slug}/members/${personId}`;

export default function TeamMemberPage({
  loaderData: { team, member, grantsBilling },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  useFirstError(actionData);
  const isMarked = actionData
    ? actionData.values.mayManageBilling === "on"
    : member.mayManageBilling;
  return (
    <>
      <TeamCrumb team={team} />
      <PageHeader title={member.name} lead="O que vale a partir do próximo clique desta pessoa." />
      {member.isOwner ? (
        <FormMessage message="A página é desta pessoa: ela sempre administra a equipe." />
      ) : (
        <Card className="flex flex-col gap-5 p-5 sm:p-6">
          <Form method="post" noValidate className="flex flex-col gap-5">
            <FormMessage message={actionData?.message} />
            <RoleChoice
              defaultValue={actionData?.values.role ?? member.role}
              error={actionData?.errors.role}
            />
            {grantsBilling || member.mayManageBilling ? (
              <CheckboxField
                label="Vê o dinheiro e pede saques"
                name="mayManageBilling"
                defaultChecked={isMarked}
                hint="Só para quem administra. O dinheiro continua indo para a sua chave Pix, que só você troca."
                error={actionData?.errors.mayManageBilling}
              />
            ) : null}
            <Button size="lg" disabled={isBusy} className="self-start">
              Salvar
            </Button>
          </Form>
          <ButtonLink to="removal" relative="path" variant="outline" className="self-start">
            Tirar da equipe
          </ButtonLink>
        </Card>
      )}
    </>
  );
}
