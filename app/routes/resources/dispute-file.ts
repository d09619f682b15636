import { evidenceKey } from "#app/domain/disputes/commands/evidence.server.ts";
import { evidenceFile } from "#app/domain/disputes/queries.server.ts";
import { actorContext, domainContext } from "#app/http/contexts.ts";
import { isUninvolvedModerator } from "#app/http/money/dispute.server.ts";
import { fileNotFoundResponse } from "#app/http/files/file-response.ts";
import type { Route } from "./+types/dispute-file.ts";

/**
 * Downloads a file of a dispute's evidence. The browser saves it and never opens it at our address.
 * Allows members who can see the page's money, and moderators without a conflict of interest.
 * Others get 404.
 */
export async function loader({ params, context }: Route.LoaderArgs): Promise<Response> {
  const ctx = context.get(domainContext);
  const { member, space, may } = context.get(actorContext);
  const found = await evidenceFile(ctx, { disputeId: params.id, fileId: params.fileId });
  if (!found) return fileNotFoundResponse();
  const isSeller = found.creatorId === space.personId && may("money:see");
  if (!isSeller && !isUninvolvedModerator(member, found)) return fileNotFoundResponse();
  if (!isSeller)
    ctx.log("disputes.file_opened", {
      disputeId: params.id,
      fileId: params.fileId,
      moderatorId: member.id,
    });
  const object = await ctx.mediaStore.get(evidenceKey(found.file));
  if (!object) return fileNotFoundResponse();
  return new Response(object.body, {
    headers: {
      "Content-Type": found.file.contentType,
      "Content-Length": String(object.sizeBytes),
      "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(found.file.name).replaceAll(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)}`,
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "X-Content-Type-Options": "nosniff",
      "Cross-Origin-Resource-Policy": "same-origin",
      "Cache-Control": "private, no-store",
    },
  });
}
