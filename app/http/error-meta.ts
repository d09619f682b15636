import { isRouteErrorResponse } from "react-router";
import type { MetaDescriptor } from "react-router";

/**
 * What a layout calls the page that could not come: the pages below it have titles of their own,
 * and none of them was drawn.
 */
export function errorMeta({ error }: { error?: unknown }): MetaDescriptor[] {
  if (!error) return [];
  return [
    {
      title: `${isRouteErrorResponse(error) && error.status === 404 ? "Página não encontrada" : "Não deu para abrir"} · Coreto`,
    },
  ];
}
