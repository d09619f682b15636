import { Composer } from "#app/components/composer/composer.tsx";
import { emptyValues } from "#app/components/composer/values.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { publishComposition } from "#app/domain/posts/commands/compose.server.ts";
import { publicationSchema } from "#app/domain/posts/schema/composing.ts";
import { formatMinute } from "#app/domain/time.ts";
import { submitForSpace, requireWriter } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { withTypedOnOffline } from "#app/http/offline-action.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { composerChoices, compositionOf } from "./composition.server.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import type { Route } from "./+types/post-create.ts";

/** One constant for every render. A new list would restart the picker. */
const NO_MEDIA: MediaItem[] = [];

export const meta: Route.MetaFunction = () => [{ title: "Publicar · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { space } = requireWriter({ context }, "posts:publish");
  return {
    authorId: space.personId,
    values: emptyValues({ postId: ctx.newId(), tab: ctx.newId() }),
    ...(await composerChoices(ctx, { authorId: space.personId })),
  };
}

/** Prevents a reload in an open composer. A new id would be another post. */
export function shouldRevalidate(): boolean {
  return false;
}

/** Publishes or schedules a new post, or a draft that the form names. */
export async function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  return submitForSpace(
    { request, context },
    "posts:publish",
    publicationSchema,
    async ({ publishAt, ...form }, actor) => {
      const composition = await compositionOf(ctx, form, actor);
      await publishComposition(ctx, { ...composition, at: publishAt });
      const message =
        publishAt === null ? "Publicado." : `Agendado para ${formatMinute(publishAt)}.`;
      return redirectWithToast(request, `/post/${composition.postId}`, {
        kind: "success",
        message,
      });
    },
  );
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return await withTypedOnOffline(request, serverAction);
}

export default function PostCreate({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Publicar">
        <ButtonLink to="/me/drafts" variant="outline" size="sm">
          Rascunhos
        </ButtonLink>
      </PageHeader>
      <Composer {...loaderData} state="new" media={NO_MEDIA} problem={actionData} />
    </>
  );
}
