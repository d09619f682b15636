import { draftSchema } from "#app/domain/posts/schema/composing.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { mediaOfForm, postInWriting } from "./preview.server.ts";
import type { Route } from "./+types/post-preview-content.ts";

const HEADERS = { "Cache-Control": "no-store" };

/** Returns what is typed as its reader will see it, for the composer's dialog. */
export async function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const answer = await submitForSpace(
    { request, context },
    "posts:publish",
    draftSchema,
    async (form, actor) => {
      const media = await mediaOfForm(ctx, form, actor.space.personId);
      return Response.json(await postInWriting(ctx, { form, media, actor }), { headers: HEADERS });
    },
  );
  return answer instanceof Response
    ? answer
    : Response.json(answer.data, { status: answer.init?.status ?? 400, headers: HEADERS });
}
