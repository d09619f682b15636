import { expect, test } from "vitest";
import { isEmbeddedOnly } from "#app/lib/embedded-only.ts";

test.each([
  "/",
  "/terms",
  "/auth/login",
  "/auth/register",
  "/auth/register/profile",
  "/auth/logout",
  "/auth/account",
  "/auth/account/",
  "/auth/account/security",
  "/auth/account/keys",
  "/auth/account/keys/create",
  "/api/v1/auth/token",
])("%s exists with any identity provider", (path) => expect(isEmbeddedOnly(path)).toBe(false));

test.each([
  "/auth/reset",
  "/auth/reset/",
  "/auth/confirm",
  "/auth/verify/0",
  "/auth/second-factor",
  "/auth/passkey",
  "/auth/register/code",
  "/auth/account/password",
  "/auth/account/keyss",
  "/auth/account/passkeys/options",
])("%s exists only with the embedded identity", (path) => expect(isEmbeddedOnly(path)).toBe(true));
