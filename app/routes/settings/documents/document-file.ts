import { documentFile, documentKey } from "#app/domain/documents/files/queries.server.ts";
import { actorContext, domainContext } from "#app/http/contexts.ts";
import { fileNotFoundResponse } from "#app/http/files/file-response.ts";
import type { Route } from "./+types/document-file.ts";

/**
 * Downloads a file of the member's own documents (LGPD, art. 18, II). Others get 404, and so does
 * the member's team.
 */
export async function loader({ params, context }: Route.LoaderArgs): Promise<Response> {
  const ctx = context.get(domainContext);
  const { member } = context.get(actorContext);
  const file = await documentFile(ctx, { personId: member.id, fileId: params.fileId });
  const object = file && (await ctx.mediaStore.get(documentKey(file)));
  if (!file || !object) return fileNotFoundResponse();
  return new Response(object.body, {
    headers: {
      "Content-Type": file.contentType,
      "Content-Length": String(object.sizeBytes),
      "Content-Disposition": `attachment; filename="${file.kind.replace("_", "-")}.${file.contentType === "image/webp" ? "webp" : "pdf"}"`,
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "X-Content-Type-Options": "nosniff",
      "Cross-Origin-Resource-Policy": "same-origin",
      "Cache-Control": "private, no-store",
    },
  });
}
