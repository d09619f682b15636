import fc from "fast-check";
import { expect, test } from "vitest";
import { slugOfName } from "#app/domain/analytics/links/rules.ts";
import { linkSchema } from "#app/domain/analytics/links/schema.ts";
import { linkOf } from "#app/domain/analytics/views/rules.ts";
import { isLinkSlug, withLinkMark } from "#app/lib/link-mark.ts";

test.each([
  ["Bio do Instagram", "bio-do-instagram"],
  ["  Olá, São João!  ", "ola-sao-joao"],
  ["—", ""],
])("the name %o becomes the slug %o", (name, slug) => {
  expect(slugOfName(name)).toBe(slug);
});

test("a slug made of any name is a slug, or empty", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 90, unit: "binary" }), (name) => {
      const slug = slugOfName(name);
      expect(slug === "" || isLinkSlug(slug)).toBe(true);
    }),
  );
});

const parsed = (name: string, slug = "") => linkSchema.safeParse({ name, slug });

test("a link without a typed end takes it from its name", () => {
  expect(parsed("Bio").data).toEqual({ name: "Bio", slug: "bio" });
  expect(parsed("Bio", " Insta ").data).toEqual({ name: "Bio", slug: "insta" });
});

test.each([
  ["", "bio", "name"],
  ["Bio", "com espaço", "slug"],
  ["Bio", "-", "slug"],
  ["☕", "", "slug"],
  ["Bio", "a".repeat(41), "slug"],
  ["Convite", "", "slug"],
  ["Outros", "", "slug"],
])("the name %o with the end %o is refused beside %s", (name, slug, field) => {
  expect(parsed(name, slug).error?.issues[0]?.path).toEqual([field]);
});

test.each([
  ["https://coreto.com.br/space/ana/public?l=insta", "insta"],
  ["https://coreto.com.br/space/ana/public", ""],
  ["https://coreto.com.br/space/ana/public?l=ana@mail.com", ""],
  ["https://coreto.com.br/space/ana/public?l=", ""],
])("a visit of %s came by the link %o", (url, slug) => {
  expect(linkOf(url)).toBe(slug);
});

test("the mark joins a path with and without a query", () => {
  expect(withLinkMark("/space/ana", "bio")).toBe("/space/ana?l=bio");
  expect(withLinkMark("/checkout?plan=p1", "bio")).toBe("/checkout?plan=p1&l=bio");
  expect(withLinkMark("/space/ana", null)).toBe("/space/ana");
});
