import { parseInvoiceFile } from "#app/domain/fiscal/rules.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { requireModerator } from "#app/http/require-member.ts";
import type { Route } from "./+types/file.ts";

export const middleware: Route.MiddlewareFunction[] = [requireModerator];

/** Returns one batch of RPS as it was issued, for upload to the city hall's site. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const name = foundOr404(parseInvoiceFile(params.file), "Este arquivo não existe.");
  const file = foundOr404(
    await context.get(domainContext).fiscal.file(name),
    "Este arquivo não existe.",
  );
  return new Response(file.body, {
    headers: {
      "Content-Type": file.contentType,
      "Content-Length": String(file.sizeBytes),
      "Content-Disposition": `attachment; filename="${file.filename}"`,
      "Cache-Control": "private, no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
