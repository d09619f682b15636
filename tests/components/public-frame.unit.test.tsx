import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { PublicFrame } from "#app/components/shell/public-frame.tsx";

const SPACE = "routes/public/space";

function framed(path: string, loaderData: Record<string, unknown>): string {
  const Page = () => <PublicFrame>Olá</PublicFrame>;
  const Stub = createRoutesStub([
    { id: SPACE, path: "/space/:username/public", loader: () => null, Component: Page },
    { id: "terms", path: "/terms", Component: Page },
  ]);
  return renderToStaticMarkup(<Stub initialEntries={[path]} hydrationData={{ loaderData }} />);
}

test("who signs in or up from somebody's page comes back to it as a member", () => {
  const html = framed("/space/ana/public", { [SPACE]: { profile: { username: "ana" } } });
  expect(html).toContain('href="/auth/login?to=%2Fspace%2Fana"');
  expect(html).toContain('href="/auth/register?to=%2Fspace%2Fana"');
});

test("from any other page they go home", () => {
  expect(framed("/terms", {})).toContain('href="/auth/login"');
});
