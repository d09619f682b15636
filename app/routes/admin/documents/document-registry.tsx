import { redirect } from "react-router";
import { queryRegistry } from "#app/domain/documents/registry/commands.server.ts";
import { registryQuerySchema } from "#app/domain/documents/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { refusalOf } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/document-registry.ts";

const pageOf = (personId: string) => `/admin/documents/${encodeURIComponent(personId)}`;

export const loader = ({ params }: Route.LoaderArgs) => redirect(pageOf(params.personId));

/** Looks up the tax ids of a person's documents at the registry now. */
export async function action({ request, params, context }: Route.ActionArgs) {
  return await handleForm(request, registryQuerySchema, async () => {
    try {
      await queryRegistry(context.get(domainContext), {
        personId: params.personId,
        moderatorId: context.get(memberContext).id,
      });
      return await redirectWithToast(request, pageOf(params.personId), {
        kind: "success",
        message: "O cadastro respondeu.",
      });
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      return await redirectWithToast(request, pageOf(params.personId), {
        kind: "error",
        message: refusal.message,
      });
    }
  });
}
