import { Form, redirect } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { block, unblock } from "#app/domain/profiles/commands.server.ts";
import { profileFor } from "#app/domain/profiles/queries.server.ts";
import { blockSchema } from "#app/domain/profiles/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { internalPath } from "#app/lib/own-path.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/block.ts";

const LIST = "/settings/connections";

export const meta: Route.MetaFunction = () => [{ title: "Bloquear · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const profile = foundOr404(
    await profileFor(context.get(domainContext), {
      key: params.id,
      viewerId: context.get(memberContext).id,
    }),
  );
  return { name: profile.name, username: profile.username };
}

/**
 * Blocks or unblocks, and redirects to the list of blocks. The block hides the creator's page, and
 * the list can undo it.
 */
export async function action({ request, context, params }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const { id: personId } = context.get(memberContext);
  return handleForm(request, blockSchema, async ({ blocked, to }) => {
    const other = foundOr404(await profileFor(ctx, { key: params.id, viewerId: null }));
    await (blocked ? block : unblock)(ctx, { personId, otherId: other.id });
    if (!blocked) return redirect(internalPath(to, LIST));
    return redirectWithToast(request, LIST, {
      kind: "success",
      message: `Você bloqueou ${other.name}. Para desfazer, é só desbloquear aqui.`,
    });
  });
}

export default function Block({ loaderData, params, actionData }: Route.ComponentProps) {
  const name = loaderData?.name ?? "esta pessoa";
  const back = `/space/${loaderData?.username ?? params.id}`;
  return (
    <>
      <PageHeader
        title={`Bloquear ${name}?`}
        lead="Cada pessoa deixa de ver a página, as publicações e as mensagens da outra, e de seguir a outra. Ninguém recebe aviso."
      />
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        <FormMessage message={actionData?.message} />
        <Form method="post" className="flex flex-wrap gap-2">
          <Button variant="danger">Bloquear</Button>
          <ButtonLink to={back} variant="outline">
            Voltar à página
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
