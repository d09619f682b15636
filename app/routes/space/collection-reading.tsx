import { quoted, counted } from "#app/domain/text.ts";
import { data, Form } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { markRead, markUnread } from "#app/domain/collections/commands/reading.server.ts";
import { collectionFor } from "#app/domain/collections/queries.server.ts";
import { readingSchema } from "#app/domain/collections/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { internalPath } from "#app/lib/own-path.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/collection-reading.ts";

const SHOWN = 1;

export const meta: Route.MetaFunction = () => [{ title: "A sua leitura · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const viewing = {
    collectionId: params.id,
    viewerId: context.get(memberContext).id,
    cursor: null,
    limit: SHOWN,
  };
  const { collection, progress } = foundOr404(
    await collectionFor(context.get(domainContext), viewing),
    "Não encontramos esta coleção.",
  );
  return { title: collection.title, progress };
}

/** Records, or removes, that the member has read a post. */
export async function action({ request, context, params }: Route.ActionArgs) {
  return handleForm(request, readingSchema, async ({ postId, isRead, to, inPlace }) => {
    await (isRead ? markRead : markUnread)(context.get(domainContext), {
      postId,
      personId: context.get(memberContext).id,
    });
    if (inPlace) return data<FormProblem>({ errors: {}, message: null, values: {} });
    return redirectWithToast(request, internalPath(to, `/collection/${params.id}`), {
      kind: "success",
      message: isRead ? "Marcada como lida. Só você vê." : "Não está mais marcada como lida.",
    });
  });
}

/** Shows a refusal. The reading mark is beside the post. */
export default function CollectionReading({
  loaderData,
  actionData,
  params,
}: Route.ComponentProps) {
  const { title, progress } = loaderData;
  return (
    <>
      <PageHeader title="A sua leitura" />
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        <FormMessage message={actionData?.message ?? Object.values(actionData?.errors ?? {})[0]} />
        <p>
          {quoted(title)}: {counted(progress.read, "lida", "lidas")} de {progress.total}.
        </p>
        {progress.continueId === null ? null : (
          <Form method="post">
            <input type="hidden" name="postId" value={progress.continueId} />
            <input type="hidden" name="isRead" value="true" />
            <Button variant="outline">Marcar a próxima como lida</Button>
          </Form>
        )}
        <ButtonLink to={`/collection/${params.id}`} className="self-start">
          Ver a coleção
        </ButtonLink>
      </Card>
    </>
  );
}
