import { redirect } from "react-router";
import type { RouterContextProvider } from "react-router";
import { viewerContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";

/**
 * Leads a member away from a sign-in page, to where its link was going: a page that knows nobody
 * has the same links for members. Without such a link it says why.
 */
export async function leadMembersOn(
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  to: string,
): Promise<void> {
  if (!context.get(viewerContext)) return;
  if (to !== "/") throw redirect(to);
  throw await redirectWithToast(request, to, {
    kind: "info",
    message: "Você já está conectado.",
  });
}
