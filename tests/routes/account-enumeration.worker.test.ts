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

/** What goes out behind the answer is no part of it. */
const BEHIND_THE_ANSWER = /^insert local_(mails|texts)/;

/**
 * Everything of an answer that somebody could compare, and which trips to the database it waited
 * for.
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

describe("whether an account exists", () => {
  test.each(QUESTIONS)(
    "is not in the answer to %s, nor in what it waits for",
    async (_, question) => {
      const known = signUpFields();
      await insertMember(known);
      // Typed values come back with a refused form: the same length, and never the same letters.
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
