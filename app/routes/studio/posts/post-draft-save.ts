import { saveDraft } from "#app/domain/posts/commands/compose.server.ts";
import { draftSchema } from "#app/domain/posts/schema/composing.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { compositionOf } from "./composition.server.ts";
import { withOtherVersion } from "./versions.server.ts";
import type { Route } from "./+types/post-draft-save.ts";

const HEADERS = { "Cache-Control": "no-store" };

/** Saves an open composer automatically. Does the same as the button, without leaving the page. */
export async function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const answer = await withOtherVersion(
    context,
    await submitForSpace({ request, context }, "posts:publish", draftSchema, async (form, actor) =>
      Response.json(await saveDraft(ctx, await compositionOf(ctx, form, actor)), {
        headers: HEADERS,
      }),
    ),
  );
  return answer instanceof Response
    ? answer
    : Response.json(answer.data, { status: answer.init?.status ?? 400, headers: HEADERS });
}
