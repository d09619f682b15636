import { describe, expect, test } from "vitest";
import * as code from "#app/routes/auth/code.tsx";
import * as login from "#app/routes/auth/login.tsx";
import * as register from "#app/routes/auth/register.tsx";
import * as reset from "#app/routes/auth/reset.tsx";
import * as checkout from "#app/routes/checkout/checkout.tsx";
import * as authToken from "#app/routes/api/auth-token.ts";
import {
  createRouteCaller,
  formRequest,
  jsonRequest,
  signUpFields,
} from "#tests/support/call-route.ts";
import type { SignUpFields } from "#tests/support/call-route.ts";
import { insertMember } from "#tests/support/registered.ts";
import { countedDatabase } from "#tests/support/round-trips.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const counted = countedDatabase(testEnv.DB);
const DB = Object.assign(counted.database, {
  withSession: () => Object.assign(counted.database, { getBookmark: () => null }),
});
const ask = createRouteCaller(
  [
    { path: "auth/login", module: login },
    { path: "auth/code", module: code },
    { path: "auth/reset", module: reset },
    { path: "auth/register", module: register },
    { path: "checkout", module: checkout },
    { path: "api/v1/auth/token", module: authToken },
  ],
  { ...testEnv, DB },
);

/** Statements that send the e-mail or text message. Their time is no part of the answer. */
const BEHIND_THE_ANSWER = /^insert local_(mails|texts)/;

/**
 * Returns everything of an answer that could be compared: status, headers, body, cookie names, and
 * the database trips made before it.
 */
async function answerTo(request: Request) {
  counted.reset();
  const answer = await ask(request);
  const trips = counted.kinds().filter((kind) => !BEHIND_THE_ANSWER.test(kind));
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.replace(/=[^;]*/, "=#"));
  const headers = [...answer.headers].filter(([name]) => name !== "set-cookie");
  return { status: answer.status, body: await answer.text(), headers, cookies, trips };
}

const WRONG = "não é esta senha";
const QUESTIONS: [string, (person: SignUpFields) => Request][] = [
  [
    "signing in by e-mail",
    ({ email }) => formRequest("/auth/login", { identifier: email, password: WRONG }),
  ],
  [
    "signing in by username",
    ({ username }) => formRequest("/auth/login", { identifier: username, password: WRONG }),
  ],
  [
    "a token",
    ({ email }) => jsonRequest("/api/v1/auth/token", { identifier: email, password: WRONG }),
  ],
  ["a code to sign in", ({ email }) => formRequest("/auth/code", { identifier: email })],
  [
    "a code to sign in, by username",
    ({ username }) => formRequest("/auth/code", { identifier: username }),
  ],
  ["a forgotten password", ({ email }) => formRequest("/auth/reset", { identifier: email })],
  [
    "a checkout without an account",
    ({ email }) =>
      formRequest("/checkout?plan=p1", {
        ...signUpFields(),
        name: "Lia",
        email,
        taxId: "529.982.247-25",
        planPriceId: "p1",
        method: "pix",
        amountCents: "1990",
      }),
  ],
  [
    "a new account with the e-mail",
    ({ email }) => formRequest("/auth/register", { ...signUpFields(), email }),
  ],
];

describe("account enumeration", () => {
  test.each(QUESTIONS)(
    "the answer to %s and its database trips are the same whether or not the account exists",
    async (_, question) => {
      const known = signUpFields();
      await insertMember(known);
      // A refused form returns the typed values, so the e-mail and username are masked.
      const about = async (person: SignUpFields) => {
        const { body, ...rest } = await answerTo(question(person));
        return {
          ...rest,
          body: body.replaceAll(person.email, "E-MAIL").replaceAll(person.username, "USERNAME"),
        };
      };
      const [one, other] = [await about(known), await about(signUpFields())];
      expect(one).toEqual(other);
      expect(one.trips.length).toBeGreaterThan(0);
    },
  );
});
