import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { Theme, ThemeProvider } from "remix-themes";
import { ORIGIN } from "./data.ts";

/** What the root's loader gives every page. */
const ROOT = {
  theme: "light",
  origin: ORIGIN,
  company: {
    name: "Coreto Tecnologia Ltda.",
    cnpj: "12.345.678/0001-95",
    address: "Rua do Coreto, 1, São Paulo, SP",
    email: "contato@coreto.example",
    privacyEmail: "privacidade@coreto.example",
  },
  measurementId: null,
};

/** Pictures of examples are the product's own. */
const PICTURE = /\/media\/[^"\s]*/g;
/** A picture far below is there for a picture of the whole page too. */
const LAZY = / loading="lazy"| decoding="async"/g;

/**
 * Renders `element` to HTML as the product's server does, at `path` and with the root's data around
 * it. Nothing of it runs in the browser. `prefix` keeps the ids of one page apart.
 */
export function renderScreen(element: ReactNode, path = "/", prefix = ""): string {
  const router = createMemoryRouter(
    [{ id: "root", path: "*", element, handle: { shell: "column" } }],
    { initialEntries: [path], hydrationData: { loaderData: { root: ROOT } } },
  );
  const queries = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  return renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <ThemeProvider specifiedTheme={Theme.LIGHT} themeAction="/resources/theme">
        <RouterProvider router={router} />
      </ThemeProvider>
    </QueryClientProvider>,
    { identifierPrefix: prefix },
  )
    .replaceAll(PICTURE, "/coreto.png")
    .replaceAll(LAZY, "");
}
