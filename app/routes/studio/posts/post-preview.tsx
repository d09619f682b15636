import { data } from "react-router";
import { Composer } from "#app/components/composer/composer.tsx";
import { ReaderPreview } from "#app/components/composer/reader-preview.tsx";
import { emptyValues } from "#app/components/composer/values.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import type { MediaItem } from "#app/domain/media/schema.ts";
import { storedPost } from "#app/domain/posts/queries/studio.server.ts";
import { draftSchema } from "#app/domain/posts/schema/composing.ts";
import { submitForSpace, requireWriter } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { readTypedForm } from "#app/http/form.ts";
import { composerChoices } from "./composition.server.ts";
import { mediaOfForm, postInWriting } from "./preview.server.ts";
import type { Route } from "./+types/post-preview.ts";

const NO_MEDIA: MediaItem[] = [];

export const handle = { shell: "wide" };

export const meta: Route.MetaFunction = () => [{ title: "Prévia · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { space } = requireWriter({ context }, "posts:publish");
  return {
    authorId: space.personId,
    values: emptyValues({ postId: ctx.newId(), tab: ctx.newId() }),
    ...(await composerChoices(ctx, { authorId: space.personId })),
  };
}

/** Shows the form as its reader will see it, and the form again as typed. Stores no post. */
export async function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const typed = await readTypedForm(request.clone() as Request);
  return submitForSpace({ request, context }, "posts:publish", draftSchema, async (form, actor) => {
    const { personId } = actor.space;
    const media = await mediaOfForm(ctx, form, personId);
    const stored = form.postId ? await storedPost(ctx, { postId: form.postId }) : null;
    const isPicked = form.hasPicker !== undefined || form.image !== undefined;
    return data({
      errors: {},
      message: null,
      post: await postInWriting(ctx, { form, media, actor }),
      media,
      state: stored?.authorId === personId ? stored.state : ("new" as const),
      values: {
        ...typed.values,
        ...(isPicked
          ? {
              hasPicker: "true",
              mediaIds: media.map(({ id }) => id).join("\n"),
              mediaAlts: media.map(({ alt }) => alt).join("\n"),
            }
          : {}),
      },
    });
  });
}

export default function PostPreview({ loaderData, actionData }: Route.ComponentProps) {
  const shown = actionData && "post" in actionData ? actionData : null;
  return (
    <>
      <PageHeader
        title="Prévia"
        lead={shown ? "Assim quem tem acesso vai ler. Nada foi publicado." : undefined}
      >
        {shown ? (
          <ButtonLink to="#escrever" variant="outline" size="sm">
            Continuar escrevendo
          </ButtonLink>
        ) : null}
      </PageHeader>
      {shown ? (
        <section aria-label="Prévia" className="mx-auto mb-10 max-w-[672px]">
          <ReaderPreview post={shown.post} />
        </section>
      ) : null}
      <h2 id="escrever" className="mb-4 scroll-mt-6 text-heading">
        Continuar escrevendo
      </h2>
      <Composer
        {...loaderData}
        state={shown?.state ?? "new"}
        media={shown?.media ?? NO_MEDIA}
        problem={actionData}
      />
    </>
  );
}
