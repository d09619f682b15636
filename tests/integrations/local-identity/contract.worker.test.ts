import * as apiToken from "#app/routes/api/auth-token.ts";
import * as login from "#app/routes/auth/login.tsx";
import * as register from "#app/routes/auth/register.tsx";
import { identityContract } from "#tests/contracts/identity-port.ts";
import { cookiesOf, door, formRequest, jsonRequest, newcomer } from "#tests/support/door.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const ask = door([
  { path: "auth/login", module: login },
  { path: "auth/register", module: register },
  { path: "api/v1/auth/token", module: apiToken },
]);

identityContract("local", {
  env: testEnv,
  newcomer,
  signUp: async (person) => cookiesOf(await ask(formRequest("/auth/register", person))),
  signIn: async ({ email, password }) => cookiesOf(await ask(formRequest("/auth/login", { identifier: email, password }))),
  async token({ username, password }) {
    const answer = await ask(jsonRequest("/api/v1/auth/token", { identifier: username, password }));
    return ((await answer.json()) as { token: string }).token;
  },
});
