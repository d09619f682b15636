import { Form } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { mute, unmute } from "#app/domain/profiles/commands.server.ts";
import { profileFor } from "#app/domain/profiles/queries.server.ts";
import { muteSchema } from "#app/domain/profiles/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { returnPath } from "#app/http/return-path.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/mute.ts";

export const meta: Route.MetaFunction = () => [{ title: "Silenciar · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const profile = foundOr404(
    await profileFor(context.get(domainContext), {
      key: params.id,
      viewerId: context.get(memberContext).id,
    }),
  );
  return { name: profile.name, username: profile.username, isMuted: profile.isMuted };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const { id: personId } = context.get(memberContext);
  return handleForm(request, muteSchema, async ({ muted, to }) => {
    const other = foundOr404(await profileFor(ctx, { key: params.id, viewerId: personId }));
    await (muted ? mute : unmute)(ctx, { personId, otherId: other.id });
    const message = muted
      ? `Você não verá publicações de ${other.name} no início nem em Explorar.`
      : `As publicações de ${other.name} voltam às suas listas.`;
    return redirectWithToast(request, returnPath(request, to, `/space/${other.username}`), {
      kind: "success",
      message,
    });
  });
}

export default function Mute({
  loaderData: { name, username, isMuted },
  actionData,
}: Route.ComponentProps) {
  const back = `/space/${username}`;
  return (
    <>
      <PageHeader
        title={isMuted ? `Ouvir ${name} de novo?` : `Silenciar ${name}?`}
        lead="O que a pessoa publica sai do seu início e de Explorar. Ela não fica sabendo, e nada muda nas suas assinaturas."
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-wrap gap-2">
          <FormMessage message={actionData?.message} />
          <input type="hidden" name="muted" value={String(!isMuted)} />
          <input type="hidden" name="to" value={back} />
          <Button>{isMuted ? "Deixar de silenciar" : "Silenciar"}</Button>
          <ButtonLink to={back} variant="outline">
            Voltar à página
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
