import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { CreatorMenu } from "#app/components/profiles/creator-menu.tsx";

const labels = (menu: { publishes: boolean; sells: boolean; isOwn?: boolean }) => {
  const router = createMemoryRouter([
    { path: "/", element: <CreatorMenu username="ana" isOwn={false} {...menu} /> },
  ]);
  const html = renderToStaticMarkup(<RouterProvider router={router} />);
  return [...html.matchAll(/<a [^>]*>([^<]*)</g)].map(([, label]) => label);
};

test.each([
  [{ publishes: false, sells: false }, ["Ver como visitante"]],
  [{ publishes: false, sells: false, isOwn: true }, ["Ver como visitante", "Primeiros passos"]],
  [{ publishes: true, sells: false }, ["Ver como visitante", "Rascunhos", "Coleções"]],
  [
    { publishes: true, sells: true },
    ["Ver como visitante", "Rascunhos", "Coleções", "Assinantes", "Novo plano", "Cupons", "Férias"],
  ],
])("the menu of a page's creator with %j has %j", (menu, expected) => {
  expect(labels(menu)).toEqual(expected);
});
