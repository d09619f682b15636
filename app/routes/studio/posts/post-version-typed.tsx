import { data, Link } from "react-router";
import { Composer } from "#app/components/composer/composer.tsx";
import { emptyValues } from "#app/components/composer/values.ts";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { postToEdit } from "#app/domain/posts/queries/studio.server.ts";
import { versionSchema } from "#app/domain/posts/schema/composing.ts";
import { actingPersonId } from "#app/domain/teams/rules/actor.ts";
import { requireWriter, submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { readTypedForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import { composerChoices } from "./composition.server.ts";
import { mediaOfForm } from "./preview.server.ts";
import { compositionOfStored, saveAsDraft } from "./versions.server.ts";
import type { Route } from "./+types/post-version-typed.ts";

const NO_MEDIA: MediaItem[] = [];

export const handle = { shell: "wide" };

export const meta: Route.MetaFunction = () => [{ title: "Sua versão · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { space } = requireWriter({ context }, "posts:publish");
  return {
    authorId: space.personId,
    values: emptyValues({ postId: params.id, tab: ctx.newId() }),
    ...(await composerChoices(ctx, { authorId: space.personId })),
  };
}

/**
 * Chooses what is typed: the stored version becomes a draft of its own, and the composer opens over
 * it. The author then saves or publishes as always.
 */
export async function action({ request, context, params }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const { values } = await readTypedForm(request.clone() as Request);
  return submitForSpace(
    { request, context },
    "posts:publish",
    versionSchema,
    async (form, actor) => {
      const authorId = actor.space.personId;
      const stored = foundOr404(
        await postToEdit(ctx, { postId: params.id, authorId }),
        "Não encontramos esta publicação. Ela pode ter sido apagada.",
      );
      await saveAsDraft(ctx, {
        ...compositionOfStored(stored),
        copyId: form.copyId,
        authorId,
        actedBy: actingPersonId(actor),
      });
      return data({
        errors: {},
        message: null,
        state: stored.state,
        media: await mediaOfForm(ctx, form, authorId),
        values: { ...values, version: String(stored.version), tab: ctx.newId() },
      });
    },
  );
}

export default function PostVersionTyped({ loaderData, actionData }: Route.ComponentProps) {
  const chosen = actionData && "state" in actionData ? actionData : null;
  return (
    <>
      <PageHeader
        title="Sua versão"
        lead={
          chosen ? (
            <>
              Falta salvar ou publicar. A outra ficou{" "}
              <Link to="/me/drafts" className="font-semibold text-leaf hover:underline">
                nos seus rascunhos
              </Link>
              .
            </>
          ) : undefined
        }
      />
      <Composer
        {...loaderData}
        state={chosen?.state ?? "draft"}
        media={chosen?.media ?? NO_MEDIA}
        problem={actionData}
      />
    </>
  );
}
