import { data } from "react-router";
import { Composer } from "#app/components/composer/composer.tsx";
import { emptyValues } from "#app/components/composer/values.ts";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import type { MediaItem } from "#app/domain/media/schema.ts";
import { PostChangedElsewhere } from "#app/domain/posts/errors.ts";
import { postToEdit } from "#app/domain/posts/queries/studio.server.ts";
import { draftSchema } from "#app/domain/posts/schema/composing.ts";
import { requireWriter, submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { readTypedForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { composerChoices } from "./composition.server.ts";
import { otherVersion } from "./versions.server.ts";
import type { Route } from "./+types/post-versions.ts";

const NO_MEDIA: MediaItem[] = [];

export const handle = { shell: "wide" };

export const meta: Route.MetaFunction = () => [{ title: "Duas versões · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { space } = requireWriter({ context }, "posts:publish");
  return {
    authorId: space.personId,
    values: { ...emptyValues({ postId: params.id, tab: ctx.newId() }) },
    ...(await composerChoices(ctx, { authorId: space.personId })),
  };
}

/** Shows what is typed beside what another composer stored. Changes nothing. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const { values } = await readTypedForm(request.clone() as Request);
  return submitForSpace({ request, context }, "posts:publish", draftSchema, async (_, actor) => {
    const stored = foundOr404(
      await postToEdit(ctx, { postId: params.id, authorId: actor.space.personId }),
      "Não encontramos esta publicação. Ela pode ter sido apagada.",
    );
    const { message } = new PostChangedElsewhere();
    return data({ errors: {}, message, values, other: otherVersion(ctx, stored) });
  });
}

export default function PostVersions({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Duas versões" />
      <Composer {...loaderData} state="draft" media={NO_MEDIA} problem={actionData} />
    </>
  );
}
