import { expect, test } from "vitest";
import { isValidPathname } from "#app/http/url-validation.ts";

test.each([
  "/",
  "/space/ana/tip",
  "/space/jos%C3%A9/tip",
  "/post/%F0%9F%98%80",
  "/gift/a%20b",
  "/search%2F%25",
])("%s is a valid path", (path) => expect(isValidPathname(path)).toBe(true));

test.each([
  "/post/%00",
  "/post/a%00b",
  "/post/a%0d%0aSet-Cookie:x",
  "/post/%7F",
  "/post/%1b",
  "/space/%E0%A4%A/tip",
  "/space/%ED%A0%80",
  "/space/%",
])("%s is invalid: a control character, or a broken UTF-8 sequence", (path) =>
  expect(isValidPathname(path)).toBe(false),
);
