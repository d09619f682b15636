import { createHash } from "node:crypto";
import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { EXAMPLE_COMPANY } from "#app/configuration/company.ts";
import { mustAcceptTerms, TERMS_VERSION } from "#app/domain/identity/registration/rules/terms.ts";
import Cookies from "#app/routes/public/terms/cookies.tsx";
import Creators from "#app/routes/public/terms/creators.tsx";
import Privacy from "#app/routes/public/terms/privacy.tsx";
import Use from "#app/routes/public/terms/use.tsx";

/**
 * Hash of each version's text, rendered with the example company. Lines never change: a changed
 * text is a new version.
 */
const TEXT_SHA256: Readonly<Record<string, string>> = {
  "2026-11-22": "e298e815bff4462a05ad5802d59457edd4e332644a619159bcb575dea3b235e0",
  "2026-11-23": "b2727ba42e94a383cf476f463e555d28d715b6038c4d0dc0f4555d541e7d7099",
  "2026-11-24": "5e0c174d1139271a9543c1da30f300b0803df19e821e51cd60e5afa60066a5d9",
  "2026-11-27": "ad34ccf0245dd9787c4737f765dc0699eed3e4c9da111663bbfde13d8c717838",
  "2026-11-28": "696d3f2da1d48d5e869fc5fe9fe3721ee0c0d46f9cc115156c94f3183c8ae65f",
  "2026-11-30": "b1d236048bf3f61ac1e04816d1b4559c1c27d610e562abb15cdf655d8a05167d",
  "2026-12-01": "ea44e81b325a18b8069c0afc84f8611bb577dacd6dd48e838549cb0eb6715856",
  "2026-12-02": "2ef7481d329985a6b8782f3944bf8a7e484de30f69e506b8f83764c7714369ef",
  "2026-12-15": "22e46df13ee7ecc41ffde48390f75e07571508496d4d41cf66b2253bd2abf67a",
};

type Page = (props: { loaderData: object }) => React.ReactNode;

/** Text of a page without its markup. */
function textOf([Page, loaderData]: readonly [Page, object]): string {
  const Stub = createRoutesStub([
    {
      id: "root",
      path: "/terms",
      loader: () => null,
      Component: () => <Page loaderData={loaderData} />,
    },
  ]);
  return renderToStaticMarkup(
    <Stub
      initialEntries={["/terms"]}
      hydrationData={{ loaderData: { root: { company: EXAMPLE_COMPANY } } }}
    />,
  )
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

const origin = "https://coreto.test";
/** The privacy policy has two texts: with and without adult pages. */
const PAGES = [
  [Use, { origin }],
  [Privacy, { origin, adultSpaces: false }],
  [Privacy, { origin, adultSpaces: true }],
  [Cookies, { origin }],
  [Creators, { origin, percentage: "5%", example: ["R$ 20,00", "R$ 1,00", "R$ 19,00"] }],
] as unknown as readonly [Page, object][];

test("the texts under /terms match the hash of the version in force", () => {
  const texts = PAGES.map(textOf);
  for (const text of texts) expect(text.length).toBeGreaterThan(500);
  const hash = createHash("sha256").update(texts.join("\n")).digest("hex");
  expect(
    { version: TERMS_VERSION, hash },
    "the text changed: set TERMS_VERSION to the day from which it holds (15 days of notice for a change of substance), and add its line here",
  ).toEqual({ version: TERMS_VERSION, hash: TEXT_SHA256[TERMS_VERSION] });
});

test("the texts under /terms promise no log of accesses, because nothing writes one", () => {
  expect(PAGES.map(textOf).join(" ")).not.toMatch(/registros? de acesso|seis meses/i);
});

test("a new version of the terms asks again after an older or no acceptance", () => {
  expect([null, "2026-01-01", TERMS_VERSION].map(mustAcceptTerms)).toEqual([true, true, false]);
});
