import { eq } from "drizzle-orm";
import type { MiddlewareFunction } from "react-router";
import { openDatabase } from "#app/db/client.server.ts";
import { requireMember } from "#app/http/require-member.ts";
import * as apiToken from "#app/routes/api/auth-token.ts";
import * as contactCode from "#app/routes/auth/account/contacts/contact-code.tsx";
import * as contactPrimary from "#app/routes/auth/account/contacts/contact-primary.tsx";
import * as emails from "#app/routes/auth/account/contacts/emails.tsx";
import * as login from "#app/routes/auth/login.tsx";
import { authUsers } from "#drizzle/schema/local-identity.ts";
import { identityContract } from "#tests/contracts/identity-port.ts";
import { mailTo } from "#tests/support/account-browser.ts";
import {
  cookiesOf,
  createRouteCaller,
  formRequest,
  jsonRequest,
  signUpFields,
} from "#tests/support/call-route.ts";
import { memberCookies } from "#tests/support/registered.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const members = { middleware: [requireMember as MiddlewareFunction] };

const ask = createRouteCaller([
  { path: "auth/login", module: login },
  { path: "auth/account/emails", module: emails, ...members },
  { path: "auth/account/:contacts/:contactId/code", module: contactCode, ...members },
  { path: "auth/account/:contacts/:contactId/primary", module: contactPrimary, ...members },
  { path: "api/v1/auth/token", module: apiToken },
]);

identityContract("local", {
  env: testEnv,
  newcomer: signUpFields,
  signUp: memberCookies,
  signIn: async ({ email, password }) =>
    cookiesOf(await ask(formRequest("/auth/login", { identifier: email, password }))),
  async token({ username, password }) {
    const answer = await ask(jsonRequest("/api/v1/auth/token", { identifier: username, password }));
    return ((await answer.json()) as { token: string }).token;
  },
  async changeEmail(_, cookie, email) {
    const headers = { Cookie: cookie };
    const typed = await ask(formRequest("/auth/account/emails", { email }, headers));
    const contact = (typed.headers.get("Location") ?? "").replace(/\/code$/, "");
    await ask(formRequest(`${contact}/code`, { code: (await mailTo(email)).code }, headers));
    await ask(formRequest(`${contact}/primary`, {}, headers));
  },
  knows: async ({ username }) =>
    (await openDatabase(testEnv.DB).$count(authUsers, eq(authUsers.username, username))) === 1,
});
