import { Form, useNavigation } from "react-router";
import { RoleChoice } from "#app/components/teams/role-choice.tsx";
import { TeamCrumb } from "#app/components/teams/team-crumb.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { approveRequest } from "#app/domain/teams/commands/requests.server.ts";
import { openRequest } from "#app/domain/teams/queries.server.ts";
import { approvalFormSchema } from "#app/domain/teams/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { requireSeat } from "#app/http/teams.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/request-approval.ts";

export const meta: Route.MetaFunction = () => [{ title: "Aprovar pedido · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const seat = await requireSeat({ context, slug: params.slug }, "members:manage");
  const { name } = foundOr404(
    await openRequest(context.get(domainContext), {
      teamId: seat.teamId,
      requestId: params.requestId,
    }),
    "Este pedido já foi respondido.",
  );
  return { team: { name: seat.teamName, slug: seat.slug }, name };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { teamId, slug } = await requireSeat({ context, slug: params.slug }, "members:manage");
  return handleForm(request, approvalFormSchema, async ({ role }) => {
    await approveRequest(context.get(domainContext), {
      teamId,
      personId: context.get(memberContext).id,
      requestId: params.requestId,
      role,
    });
    return redirectWithToast(request, `/settings/teams/${slug}`, {
      kind: "success",
      message: "Pedido aprovado.",
    });
  });
}

export default function ApproveRequest({
  loaderData: { team, name },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <TeamCrumb team={team} />
      <PageHeader title={`Aprovar ${name}?`} />
      <Card className="p-5 sm:p-6">
        <Form method="post" noValidate className="flex flex-col gap-5">
          <FormMessage message={actionData?.message} />
          <RoleChoice
            defaultValue={actionData?.values.role ?? "guest_member"}
            error={actionData?.errors.role}
          />
          <Button size="lg" disabled={isBusy} className="self-start">
            Aprovar
          </Button>
        </Form>
      </Card>
    </>
  );
}
