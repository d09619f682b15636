import { Composer } from "#app/components/composer/composer.tsx";
import { emptyValues, firstPostValues } from "#app/components/composer/values.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { publishComposition } from "#app/domain/posts/commands/compose.server.ts";
import {
  toUnpublishedSummary,
  unpublishedSummaryStatements,
} from "#app/domain/posts/queries/studio.server.ts";
import { publicationSchema } from "#app/domain/posts/schema/composing.ts";
import { counted } from "#app/domain/text.ts";
import { formatMinute } from "#app/domain/time.ts";
import { submitForSpace, requireWriter } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { withTypedOnOffline } from "#app/http/offline-action.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { firstStepPathOf } from "#app/routes/studio/first-steps/step.server.ts";
import { composerChoices, compositionOf } from "./composition.server.ts";
import { withOtherVersion } from "./versions.server.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import type { Route } from "./+types/post-create.ts";

/** One constant for every render. A new list would restart the picker. */
const NO_MEDIA: MediaItem[] = [];

export const handle = { shell: "wide" };

export const meta: Route.MetaFunction = () => [{ title: "Publicar · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { space } = requireWriter({ context }, "posts:publish");
  const authorId = space.personId;
  const [choices, [counts]] = await Promise.all([
    composerChoices(ctx, { authorId }),
    ctx.db.batch(unpublishedSummaryStatements(ctx, { authorId, limit: 1 })),
  ]);
  const { drafts, scheduled } = toUnpublishedSummary(counts, []);
  return {
    authorId,
    drafts,
    scheduled,
    values: {
      ...emptyValues({ postId: ctx.newId(), tab: ctx.newId() }),
      ...firstPostValues(request),
    },
    ...choices,
  };
}

/** Prevents a reload in an open composer. A new id would be another post. */
export function shouldRevalidate(): boolean {
  return false;
}

/**
 * Publishes or schedules a new post, or a draft that the form names. A form that came from the
 * first steps (`first`) leads to the next of them.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const answer = await submitForSpace(
    { request, context },
    "posts:publish",
    publicationSchema,
    async ({ publishAt, first, ...form }, actor) => {
      const composition = await compositionOf(ctx, form, actor);
      await publishComposition(ctx, { ...composition, at: publishAt });
      const message =
        publishAt === null ? "Publicado." : `Agendado para ${formatMinute(publishAt)}.`;
      const path =
        actor.isOwn && first
          ? await firstStepPathOf(ctx, { creatorId: actor.space.personId, after: "post" })
          : `/post/${composition.postId}`;
      return redirectWithToast(request, path, { kind: "success", message });
    },
  );
  return await withOtherVersion(context, answer);
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return await withTypedOnOffline(request, serverAction);
}

/** Texts that wait at `/me/drafts`; null without any. */
function savedText({ drafts, scheduled }: { drafts: number; scheduled: number }): string | null {
  if (drafts > 0) return `Você tem ${counted(drafts, "rascunho", "rascunhos")}`;
  return scheduled > 0
    ? `Você tem ${counted(scheduled, "publicação agendada", "publicações agendadas")}`
    : null;
}

export default function PostCreate({ loaderData, actionData }: Route.ComponentProps) {
  const saved = savedText(loaderData);
  return (
    <>
      <PageHeader title="Publicar">
        {saved ? (
          <ButtonLink to="/me/drafts" variant="outline" size="sm">
            {saved}
          </ButtonLink>
        ) : null}
      </PageHeader>
      <Composer {...loaderData} state="new" media={NO_MEDIA} problem={actionData} />
    </>
  );
}
