import { createHash } from "node:crypto";
import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { EXAMPLE_COMPANY } from "#app/company.ts";
import { mustAcceptTerms, TERMS_VERSION } from "#app/domain/identity/registration/rules/terms.ts";
import Cookies from "#app/routes/public/terms/cookies.tsx";
import Creators from "#app/routes/public/terms/creators.tsx";
import Privacy from "#app/routes/public/terms/privacy.tsx";
import Use from "#app/routes/public/terms/use.tsx";

/**
 * Of each version the text as it is read, with the company of the example. A version's line is
 * written once: another text is another version.
 */
const TEXT_SHA256: Readonly<Record<string, string>> = {
  "2026-11-22": "e298e815bff4462a05ad5802d59457edd4e332644a619159bcb575dea3b235e0",
  "2026-11-23": "b2727ba42e94a383cf476f463e555d28d715b6038c4d0dc0f4555d541e7d7099",
  "2026-11-24": "853a621f4ac8672332b489e9c7700e5f21fed62ef1082059dbf0d9c532bd90ef",
};

type Page = (props: { loaderData: object }) => React.ReactNode;

/** What somebody reads of a page, whatever it is marked up with. */
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
/** The one about data is read in two ways: with pages for adults and without. */
const PAGES = [
  [Use, { origin }],
  [Privacy, { origin, adultSpaces: false }],
  [Privacy, { origin, adultSpaces: true }],
  [Cookies, { origin }],
  [Creators, { origin, percentage: "5%", example: ["R$ 20,00", "R$ 1,00", "R$ 19,00"] }],
] as unknown as readonly [Page, object][];

test("the text under /terms is that of the version in force", () => {
  const texts = PAGES.map(textOf);
  for (const text of texts) expect(text.length).toBeGreaterThan(500);
  const hash = createHash("sha256").update(texts.join("\n")).digest("hex");
  expect(
    { version: TERMS_VERSION, hash },
    "the text changed: set TERMS_VERSION to the day from which it holds (15 days of notice for a change of substance), and add its line here",
  ).toEqual({ version: TERMS_VERSION, hash: TEXT_SHA256[TERMS_VERSION] });
});

test("a new version asks again, whoever accepted an older one or none", () => {
  expect([null, "2026-01-01", TERMS_VERSION].map(mustAcceptTerms)).toEqual([true, true, false]);
});
