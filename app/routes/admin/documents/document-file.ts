import { openDocumentFile } from "#app/domain/documents/files/commands/views.server.ts";
import { isDocumentLinkValid } from "#app/domain/documents/files/queries.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { fileNotFoundResponse } from "#app/http/files/file-response.ts";
import { requireModerator } from "#app/http/require-member.ts";
import type { Route } from "./+types/document-file.ts";

export const middleware: Route.MiddlewareFunction[] = [requireModerator];

/**
 * Returns a photo or PDF of a person's documents. The URL works for five minutes, and only for the
 * moderator it was made for. The access is recorded. The response is never cached.
 */
export async function loader({ request, params, context }: Route.LoaderArgs): Promise<Response> {
  const ctx = context.get(domainContext);
  const moderatorId = context.get(memberContext).id;
  const { searchParams } = new URL(request.url);
  const asked = { moderatorId, personId: params.personId, fileId: params.fileId };
  if (
    !(await isDocumentLinkValid(ctx, {
      ...asked,
      expiresAt: Number(searchParams.get("until")),
      signature: searchParams.get("signature") ?? "",
    }))
  )
    return linkClosed();
  const opened = await openDocumentFile(ctx, asked);
  if (!opened) return fileNotFoundResponse();
  return new Response(opened.body, {
    headers: {
      "Content-Type": opened.file.contentType,
      "Content-Length": String(opened.sizeBytes),
      "Content-Disposition": "inline",
      // The PDF viewer of browsers does not open in a sandbox.
      "Content-Security-Policy": `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'${opened.file.contentType === "application/pdf" ? "" : "; sandbox"}`,
      "X-Content-Type-Options": "nosniff",
      "Cross-Origin-Resource-Policy": "same-origin",
      "Referrer-Policy": "no-referrer",
      "Cache-Control": "private, no-store",
    },
  });
}

function linkClosed(): Response {
  return new Response("Este endereço venceu. Volte para a página dos documentos e abra de novo.", {
    status: 403,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "private, no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
