import { describe, expect, test } from "vitest";
import { isOfPost, isUnsaved } from "#app/components/composer/local-copies.ts";
import type { ServerCopy } from "#app/components/composer/local-copies.ts";

const typed = {
  postId: "p1",
  tab: "aba-1",
  version: "3",
  title: "Ensaio ",
  content: "Uma linha\nOutra",
  ways: "public",
};
const onServer = (
  more: Partial<ServerCopy> = {},
  values: Record<string, string> = {},
): ServerCopy => ({
  state: "draft",
  savedByTab: "aba-1",
  values: {
    postId: "p1",
    tab: "aba-1",
    version: "4",
    title: "Ensaio",
    content: "Uma linha\r\nOutra",
    teaser: "",
    ways: "public",
    ...values,
  },
  ...more,
});

describe("a copy saved in the browser", () => {
  test("is offered when the server never had its post", () => {
    expect(isUnsaved({ values: typed }, null)).toBe(true);
  });

  test("is not offered when the server has all its text, even if the save's answer was lost", () => {
    expect(isUnsaved({ values: typed }, onServer())).toBe(false);
    expect(isUnsaved({ values: typed }, onServer({ savedByTab: "aba-2" }))).toBe(false);
  });

  test.each([
    ["content", "Uma linha"],
    ["title", "Outro"],
    ["teaser", "Chamada"],
    ["ways", "followers"],
  ])("is offered when %s differs", (name, value) => {
    expect(isUnsaved({ values: typed }, onServer({}, { [name]: value }))).toBe(true);
    expect(isUnsaved({ values: typed }, onServer({ state: "scheduled" }, { [name]: value }))).toBe(
      true,
    );
  });

  test("is not offered when its own composer published the post, but is when another composer did", () => {
    const changed = { content: "Como saiu" };
    expect(isUnsaved({ values: typed }, onServer({ state: "published" }, changed))).toBe(false);
    expect(
      isUnsaved({ values: typed }, onServer({ state: "published", savedByTab: "aba-2" }, changed)),
    ).toBe(true);
  });

  test("is not offered when the post was deleted", () => {
    expect(isUnsaved({ values: typed }, onServer({ values: null }))).toBe(false);
  });
});

test("a composer was accepted where it led to its post, and not where it led to sign-in", () => {
  expect(isOfPost("/post/p1", "p1")).toBe(true);
  expect(isOfPost("/post/p1/edit", "p1")).toBe(true);
  for (const path of ["/auth/login", "/auth/register/profile", "/post/p10", "/post/create", "/"])
    expect(isOfPost(path, "p1")).toBe(false);
});
