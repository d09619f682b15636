import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import type { PlatformCompany } from "#app/domain/fiscal/schema/company.ts";
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

test("sign-in and sign-up from a profile return to that profile as a member", () => {
  const html = framed("/space/ana/public", { [SPACE]: { profile: { username: "ana" } } });
  expect(html).toContain('href="/auth/login?to=%2Fspace%2Fana"');
  expect(html).toContain('href="/auth/register?to=%2Fspace%2Fana"');
});

test("sign-in from any other page leads home", () => {
  expect(framed("/terms", {})).toContain('href="/auth/login"');
});

test("the footer names the configured company, and none on a page that failed to load", () => {
  const Stub = createRoutesStub([
    { id: "root", path: "/", loader: () => null, Component: () => <PublicFrame>Olá</PublicFrame> },
  ]);
  const footed = (company?: PlatformCompany) =>
    renderToStaticMarkup(
      <Stub initialEntries={["/"]} hydrationData={{ loaderData: { root: { company } } }} />,
    );
  expect(
    footed({
      name: "Lira Ltda",
      cnpj: "11.222.333/0001-81",
      address: "Rua A, 1",
      email: "oi@lira.test",
      privacyEmail: "d@lira.test",
    }),
  ).toContain("Lira Ltda · CNPJ 11.222.333/0001-81");
  expect(footed()).not.toContain("CNPJ");
});
