import { z } from "zod";
import { renderMarkdown } from "#app/domain/posts/rules/markdown.ts";
import { CONTENT_MAX } from "#app/domain/posts/schema.ts";
import { viewerContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import type { Route } from "./+types/post-preview.ts";

const HEADERS = { "Cache-Control": "no-store" };
const previewSchema = z.object({ content: z.string().max(CONTENT_MAX).default("") });

/** Renders a text as its post would show it, for the composer's preview. Stores nothing. */
export async function action({ request, context }: Route.ActionArgs) {
  if (!context.get(viewerContext))
    return Response.json(
      { message: "Entre para ver a prévia." },
      { status: 401, headers: HEADERS },
    );
  const answer = await handleForm(request, previewSchema, async ({ content }) =>
    Response.json({ html: renderMarkdown(content) }, { headers: HEADERS }),
  );
  return answer instanceof Response
    ? answer
    : Response.json(answer.data, { status: 400, headers: HEADERS });
}
