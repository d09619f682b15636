import { UNSAFE_ErrorResponseImpl as ErrorResponse } from "react-router";
import { expect, test } from "vitest";
import { errorMeta } from "#app/http/public-pages/error-meta.ts";
import { meta as ofAuth } from "#app/routes/auth/layout.tsx";
import { meta as ofCheckout } from "#app/routes/checkout/layout.tsx";
import { meta as ofMember } from "#app/routes/member-layout.tsx";

test.each([
  ["nothing", undefined, []],
  [
    "a missing page",
    new ErrorResponse(404, "", null),
    [{ title: "Página não encontrada · Coreto" }],
  ],
  ["a refusal", new ErrorResponse(403, "", null), [{ title: "Não deu para abrir · Coreto" }]],
  ["a fault", new Error("boom"), [{ title: "Não deu para abrir · Coreto" }]],
])("the tab title names %s", (_, error, said) => {
  expect(errorMeta({ error })).toEqual(said);
});

test("every layout with an error page uses the same title", () => {
  expect([ofAuth, ofCheckout, ofMember]).toEqual([errorMeta, errorMeta, errorMeta]);
});
