import { Form, useNavigation } from "react-router";
import { TeamCrumb } from "#app/components/teams/team-crumb.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { changeDomain } from "#app/domain/teams/commands/team.server.ts";
import { domainFormSchema } from "#app/domain/teams/schema.ts";
import { ENROLMENT_LABELS, enrolmentModes } from "#app/domain/teams/rules/roles.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { requireSeat } from "#app/http/teams.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/domain.ts";

export const meta: Route.MetaFunction = () => [{ title: "Domínio da equipe · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const {
    teamName: name,
    slug,
    domain,
    enrolment,
  } = await requireSeat({ context, slug: params.slug }, "team:edit");
  return { name, slug, domain, enrolment };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const member = context.get(memberContext);
  const { teamId, slug } = await requireSeat({ context, slug: params.slug }, "team:edit");
  return handleForm(request, domainFormSchema, async (input) => {
    const verifiedEmails = await ctx.accounts.verifiedEmails({
      personId: member.id,
      email: member.email,
    });
    await changeDomain(ctx, { ...input, teamId, personId: member.id, verifiedEmails });
    return redirectWithToast(request, `/settings/teams/${slug}`, {
      kind: "success",
      message: input.domain === null ? "Entra só quem recebe convite." : "Domínio salvo.",
    });
  });
}

export default function TeamDomain({ loaderData: team, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  useFirstError(actionData);
  const values = { domain: team.domain ?? "", enrolment: team.enrolment, ...actionData?.values };
  const errors = actionData?.errors ?? {};
  return (
    <>
      <TeamCrumb team={team} />
      <PageHeader
        title="Domínio da equipe"
        lead="Quem tem um e-mail do seu domínio pode encontrar a equipe sem convite."
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" noValidate className="flex flex-col gap-5">
          <FormMessage message={actionData?.message} />
          <TextField
            label="Domínio"
            name="domain"
            required={false}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            hint="Como casadarabeca.com.br. Precisa haver na sua conta um e-mail confirmado desse domínio."
            defaultValue={values.domain}
            error={errors.domain}
          />
          <Choices
            legend="Quem pode entrar"
            name="enrolment"
            options={enrolmentModes.map((mode) => ({ value: mode, ...ENROLMENT_LABELS[mode] }))}
            defaultValue={values.enrolment}
            error={errors.enrolment}
          />
          <Button size="lg" disabled={isBusy} className="self-start">
            Salvar
          </Button>
        </Form>
      </Card>
    </>
  );
}
