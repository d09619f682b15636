import { isRouteErrorResponse } from "react-router";
import type { MetaDescriptor } from "react-router";

/** The title when a page failed to load: its own title is missing, because it was not rendered. */
export function errorMeta({ error }: { error?: unknown }): MetaDescriptor[] {
  if (!error) return [];
  return [
    {
      title: `${isRouteErrorResponse(error) && error.status === 404 ? "Página não encontrada" : "Não deu para abrir"} · Coreto`,
    },
  ];
}
