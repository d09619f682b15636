import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  normalizeLinkUrl,
  linkProblem,
  LINKS_MAX,
  profileLink,
} from "#app/domain/profiles/rules/links.ts";
import { profileSettingsSchema } from "#app/domain/profiles/schema.ts";

test.each([
  ["https://exemplo.com.br/a?b=1", "https://exemplo.com.br/a?b=1"],
  ["exemplo.com.br", "https://exemplo.com.br/"],
  ["exemplo.com.br:8080/loja", "https://exemplo.com.br:8080/loja"],
  ["ana@exemplo.com.br", "mailto:ana@exemplo.com.br"],
  ["MAILTO:ana@exemplo.com.br", "mailto:ana@exemplo.com.br"],
  ["https://coração.com.br", "https://xn--corao-dra1a.com.br/"],
  ["javascript:alert(1)", null],
  ["JaVaScRiPt:alert(1)", null],
  ["data:text/html,x", null],
  ["vbscript:x", null],
  ["ftp://exemplo.com", null],
  ["https://ana:senha@exemplo.com", null],
  ["https://localhost", null],
  ["um texto qualquer", null],
  ["https://exemplo.com\n.br", null],
  ["", null],
])("%j leads to %j", (typed, address) => {
  expect(normalizeLinkUrl(typed)).toBe(address);
});

test("no typed text is stored with a scheme other than the allowed ones", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc
          .constantFrom("javascript:", "data:", "\u0001javascript:", "java\tscript:")
          .chain((scheme) => fc.string().map((rest) => scheme + rest)),
      ),
      (typed) => {
        const address = normalizeLinkUrl(typed);
        if (address !== null)
          expect(["http:", "https:", "mailto:"]).toContain(new URL(address).protocol);
      },
    ),
  );
});

describe("the links of the profile form", () => {
  const form = (linkTitles: string | string[], linkUrls: string | string[]) =>
    profileSettingsSchema.safeParse({ name: "Ana", linkTitles, linkUrls });

  test("are stored in order without empty rows; a link without a label is named after its address", () => {
    expect(
      form(["Loja", "", ""], ["loja.com.br", "", "https://www.exemplo.com/x"]).data?.links,
    ).toEqual([
      { title: "Loja", url: "https://loja.com.br/" },
      { title: "exemplo.com", url: "https://www.exemplo.com/x" },
    ]);
    expect(form("", "").data?.links).toEqual([]);
    expect(profileSettingsSchema.safeParse({ name: "Ana" }).data?.links).toEqual([]);
  });

  test("show an error beside their row when they are wrong", () => {
    const refused = form(["Loja", "Ruim"], ["", "javascript:alert(1)"]);
    expect(refused.error?.issues.map(({ path, message }) => [path.join(), message])).toEqual([
      ["link-0", "Falta o endereço de “Loja”."],
      ["link-1", "“javascript:alert(1)” não é um endereço. Use algo como https://exemplo.com.br."],
    ]);
    const many = Array.from({ length: LINKS_MAX + 1 }, () => "a.com");
    expect(form(many, many).error?.issues[0]).toMatchObject({
      path: ["links"],
      message: "Use até 5 links.",
    });
    expect(linkProblem({ title: "x".repeat(41), url: "a.com" })).toContain("40 caracteres");
    expect(linkProblem({ title: "x", url: `a.com/${"x".repeat(300)}` })).toContain(
      "300 caracteres",
    );
  });

  test("to a mailbox are named after the mailbox", () => {
    expect(profileLink({ title: "", url: "ana@exemplo.com.br" })).toEqual({
      title: "ana@exemplo.com.br",
      url: "mailto:ana@exemplo.com.br",
    });
  });
});

test.each(["on", "true", ""])(
  "a page declared to be for adults (%j) is refused while adult spaces are off",
  (isAdult) => {
    const refused = profileSettingsSchema.safeParse({ name: "Ana", isAdult });
    expect(refused.error?.issues).toMatchObject([
      { path: [], message: expect.stringContaining("maiores de 18") },
    ]);
    expect(profileSettingsSchema.safeParse({ name: "Ana" }).data).not.toHaveProperty("isAdult");
  },
);
