import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { MiddlewareFunction } from "react-router";
import { IDENTITY_MESSAGES } from "#app/domain/identity/errors.ts";
import { requireMember } from "#app/http/require-member.ts";
import * as confirm from "#app/routes/auth/account/confirm.tsx";
import * as confirmCode from "#app/routes/auth/account/confirm-code.tsx";
import * as confirmCodeSend from "#app/routes/auth/account/confirm-code-send.tsx";
import * as passkeyOptions from "#app/routes/auth/account/sign-in-methods/passkey-options.ts";
import * as passkeys from "#app/routes/auth/account/sign-in-methods/passkeys.tsx";
import * as activation from "#app/routes/auth/account/sign-in-methods/second-factor-activation.tsx";
import * as secondFactor from "#app/routes/auth/account/sign-in-methods/second-factor.tsx";
import {
  accountBrowser,
  codeOtherThan,
  mailsTo,
  mailTo,
  refusalIn,
  signedUp,
} from "#tests/support/account-browser.ts";
import type { AccountBrowser } from "#tests/support/account-browser.ts";
import { createRouteCaller } from "#tests/support/call-route.ts";
import { testClock } from "#tests/support/clock.ts";
import { expireRecentAuth, redirectOf, removePassword } from "#tests/support/external-accounts.ts";

const middleware = [requireMember as MiddlewareFunction];
const ask = createRouteCaller([
  { path: "auth/confirm", module: confirm, middleware },
  { path: "auth/confirm/code", module: confirmCode, middleware },
  { path: "auth/confirm/code/send", module: confirmCodeSend, middleware },
  { path: "auth/account/passkeys", module: passkeys, middleware },
  { path: "auth/account/passkeys/options", module: passkeyOptions, middleware },
  { path: "auth/account/second-factor", module: secondFactor, middleware },
  { path: "auth/account/second-factor/activation", module: activation, middleware },
]);

const FACTOR = "/auth/account/second-factor";
const PASSKEYS = "/auth/account/passkeys";
const SEND = `/auth/confirm/code/send?to=${encodeURIComponent(FACTOR)}`;
const TYPE = `/auth/confirm/code?to=${encodeURIComponent(FACTOR)}`;

/** A member who bought as a guest: signed in with a code, and without a password. */
async function guest() {
  const { browser, person } = await signedUp();
  await removePassword(person.email);
  return { person, browser: accountBrowser(ask, browser.cookies) };
}
const waitsFor = async (browser: AccountBrowser, path: string) =>
  await (await browser.get(path)).json<{ asksPassword: boolean }>();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: testClock.now() });
});
afterEach(() => {
  vi.useRealTimers();
});

test("who has no password and has just signed in is asked for none", async () => {
  const { browser } = await guest();
  for (const path of [FACTOR, PASSKEYS])
    expect(await waitsFor(browser, path)).toMatchObject({ asksPassword: false });
  expect(redirectOf(await browser.post(FACTOR))).toBe(`${FACTOR}/activation`);
  const made = await browser.post(`${PASSKEYS}/options`, { name: "Celular" });
  expect(await made.json()).toMatchObject({ challenge: expect.any(String) });
});

test("later a code by email confirms instead, once, and leads back", async () => {
  const { browser, person } = await guest();
  await expireRecentAuth(person.email);
  for (const path of [FACTOR, PASSKEYS])
    expect(redirectOf(await browser.get(path))).toBe(`/auth/confirm?to=${path}`);
  expect(await (await browser.post(FACTOR)).json()).toMatchObject({
    message: expect.stringContaining("confirme de novo que é você"),
    link: { to: "/auth/confirm" },
  });
  expect((await browser.post(`${PASSKEYS}/options`, { name: "Celular" })).status).toBe(401);
  expect(await (await browser.get(`/auth/confirm?to=${FACTOR}`)).json()).toMatchObject({
    hasPassword: false,
    email: person.email,
  });

  expect(redirectOf(await browser.post(SEND))).toBe(TYPE);
  const { code, subject } = await mailTo(person.email);
  expect(subject).toBe(`${code} é o código para confirmar que é você`);
  expect(await refusalIn(await browser.post(TYPE, { code: codeOtherThan(code) }))).toBe(
    `400 ${IDENTITY_MESSAGES.form_code_incorrect}`,
  );
  expect(redirectOf(await browser.get(FACTOR))).toBe(`/auth/confirm?to=${FACTOR}`);
  expect(redirectOf(await browser.post(TYPE, { code }))).toBe(FACTOR);
  expect(await waitsFor(browser, FACTOR)).toMatchObject({ asksPassword: false });
  expect(redirectOf(await browser.post(FACTOR))).toBe(`${FACTOR}/activation`);
  expect((await browser.post(TYPE, { code })).status).toBe(409);
});

test("the code has the limits of every code", async () => {
  const { browser, person } = await guest();
  await expireRecentAuth(person.email);
  await browser.post(SEND);
  expect((await browser.post(SEND)).status).toBe(429);
  const { code } = await mailTo(person.email);
  for (let tries = 0; tries < 5; tries += 1)
    await browser.post(TYPE, { code: codeOtherThan(code) });
  expect(await refusalIn(await browser.post(TYPE, { code }))).toBe(
    `429 ${IDENTITY_MESSAGES.verification_failed}`,
  );
  expect(redirectOf(await browser.get(FACTOR))).toBe(`/auth/confirm?to=${FACTOR}`);
  vi.setSystemTime(testClock.now() + 31_000);
  expect(redirectOf(await browser.post(SEND))).toBe(TYPE);
});

test("a code confirms nothing in another session, and none is sent where there is a password", async () => {
  const [one, other] = [await guest(), await guest()];
  await one.browser.post(SEND);
  const { code } = await mailTo(one.person.email);
  expect((await other.browser.post(TYPE, { code })).status).toBe(409);

  const { browser: cookies, person } = await signedUp();
  const browser = accountBrowser(ask, cookies.cookies);
  expect(await refusalIn(await browser.post(SEND))).toBe(
    `409 ${IDENTITY_MESSAGES.USER_ALREADY_HAS_PASSWORD}`,
  );
  expect(await mailsTo(person.email)).toEqual([]);
  expect(await waitsFor(browser, FACTOR)).toMatchObject({ asksPassword: true });
  const refused: Record<string, string>[] = [
    {},
    { currentPassword: "" },
    { currentPassword: "outra senha longa" },
  ];
  for (const fields of refused) expect((await browser.post(FACTOR, fields)).status).toBe(400);
});
