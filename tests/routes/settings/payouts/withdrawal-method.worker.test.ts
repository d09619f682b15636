import { createExecutionContext } from "cloudflare:test";
import { generateCpf } from "@brazilian-utils/brazilian-utils/generate-cpf";
import { eq } from "drizzle-orm";
import { createStaticHandler, RouterContextProvider } from "react-router";
import type { ActionFunction, LoaderFunction, MiddlewareFunction } from "react-router";
import { beforeAll, expect, test } from "vitest";
import { composeContext } from "#app/compose.server.ts";
import type { Context } from "#app/domain/context.ts";
import { submitSellerDetails } from "#app/domain/payouts/destinations/commands.server.ts";
import type { Env } from "#app/configuration/env.ts";
import { cloudflareContext } from "#app/http/contexts.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { identityMiddleware } from "#app/http/identity/identity-middleware.ts";
import { requireMember } from "#app/http/require-member.ts";
import * as withdrawalMethod from "#app/routes/settings/payouts/withdrawal-method.tsx";
import { people } from "#drizzle/schema/identity.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { fakeClerk } from "#tests/integrations/clerk/clerk.ts";
import { signedUp } from "#tests/support/account-browser.ts";
import { formRequest, signUpFields, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { expireRecentAuth } from "#tests/support/external-accounts.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const HERE = "/settings/withdrawal-method";
const NEW_KEY = { keyKind: "email", pixKey: "outra@exemplo.test" };
const SAID =
  "Antes de trocar para onde vai o dinheiro, confirme de novo que é você: faz mais de 10 minutos. Depois volte para cá e envie outra vez; o que você digitou continua aqui.";

let ctx: Context;
beforeAll(async () => {
  ({ ctx } = await composeContext(testEnv));
});

/**
 * Requests the page as a browser without JavaScript does. Returns the answer of the action and the
 * page shown with it.
 */
async function document(request: Request, env: Env = testEnv) {
  const { loader, action } = withdrawalMethod as unknown as {
    loader: LoaderFunction;
    action: ActionFunction;
  };
  const handler = createStaticHandler([
    {
      id: "root",
      path: "/",
      middleware: [identityMiddleware as MiddlewareFunction],
      children: [
        {
          id: "page",
          path: HERE,
          middleware: [requireMember as MiddlewareFunction],
          loader,
          action,
        },
      ],
    },
  ]);
  const requestContext = new RouterContextProvider();
  requestContext.set(cloudflareContext, { env, ctx: createExecutionContext() });
  const answer = (await handler.query(request, {
    requestContext,
    generateMiddlewareResponse: async (query) => {
      const found = await query(request);
      return found instanceof Response
        ? found
        : Response.json(
            { problem: found.actionData?.page as unknown, shown: found.loaderData.page as unknown },
            { status: found.statusCode },
          );
    },
  })) as Response;
  const location = answer.headers.get("Location");
  const { problem = null, shown = null } =
    location === null ? await answer.json<{ problem?: FormProblem; shown?: object }>() : {};
  return { status: answer.status, location, problem, shown };
}

const keep = (personId: string, email: string) =>
  submitSellerDetails(ctx, {
    personId,
    fullName: "Ana Maria Lira",
    cpf: generateCpf(),
    birthDate: "1990-01-31",
    company: null,
    pixKey: { kind: "email", key: email },
  });
const personOf = async (email: string) =>
  (await ctx.db.select().from(people).where(eq(people.email, email)).get())?.id ?? "";
const keyOf = async (email: string) =>
  (
    await ctx.db
      .select()
      .from(withdrawalMethods)
      .where(eq(withdrawalMethods.creatorId, await personOf(email)))
      .get()
  )?.pixKey;

async function earner() {
  const { browser, person } = await signedUp();
  await keep(await personOf(person.email), person.email);
  const headers = () => ({ Cookie: [...browser.cookies].map((pair) => pair.join("=")).join("; ") });
  return {
    browser,
    ...person,
    see: () => document(new Request(TEST_ORIGIN + HERE, { headers: headers() })),
    send: (fields: Record<string, string>) => document(formRequest(HERE, fields, headers())),
  };
}

test("changes the Pix key after recent authentication", async () => {
  const { email, send, see } = await earner();
  expect(await see()).toMatchObject({ status: 200, shown: { method: { kind: "email" } } });
  expect(await send(NEW_KEY)).toMatchObject({ status: 302, location: HERE });
  expect(await keyOf(email)).toBe(NEW_KEY.pixKey);
});

test("without recent authentication keeps the typed values, and accepts the same form afterwards", async () => {
  const { browser, email, password, see, send } = await earner();
  await expireRecentAuth(email);
  const refused = await send({ ...NEW_KEY, way: "pix" });
  expect(refused).toMatchObject({
    status: 401,
    location: null,
    problem: {
      errors: {},
      message: SAID,
      link: { to: `/auth/confirm?to=${HERE}`, text: "Confirmar que é você" },
      values: { ...NEW_KEY, way: "pix" },
    },
  });
  expect(await keyOf(email)).toBe(email);
  // The stored key stays hidden, and a plain visit still redirects to reauthenticate.
  expect(JSON.stringify(refused.shown)).not.toContain("@");
  expect(refused.shown).toMatchObject({ method: null, isHidden: true });
  expect(await see()).toMatchObject({ status: 302, location: `/auth/confirm?to=${HERE}` });
  await browser.post("/auth/confirm", { currentPassword: password });
  expect(await send(NEW_KEY)).toMatchObject({ status: 302, location: HERE });
  expect(await keyOf(email)).toBe(NEW_KEY.pixKey);
});

test("without recent authentication still names an invalid key beside its field", async () => {
  const { email, send } = await earner();
  await expireRecentAuth(email);
  expect(await send({ keyKind: "email", pixKey: "outra" })).toMatchObject({
    status: 400,
    location: null,
    problem: { errors: { pixKey: expect.any(String) }, values: { pixKey: "outra" } },
    shown: { isHidden: true },
  });
});

test("with Clerk the same form asks for a new sign-in", async () => {
  const clerk = await fakeClerk();
  const person = signUpFields();
  const id = clerk.addUser(person);
  const at = async (fva: number[], fields: Record<string, string>) =>
    document(formRequest(HERE, fields, { Cookie: await clerk.cookie(id, { fva }) }), clerk.env);
  await at([0, -1], {});
  const personId =
    (await ctx.db.select().from(people).where(eq(people.providerUserId, id)).get())?.id ?? "";
  await ctx.db
    .update(people)
    .set({ birthDate: "1990-01-31", registeredAt: ctx.now() })
    .where(eq(people.id, personId));
  await keep(personId, person.email);
  expect(await at([11, -1], NEW_KEY)).toMatchObject({
    status: 401,
    location: null,
    problem: {
      message: SAID,
      link: { to: `/auth/again?to=${encodeURIComponent(HERE)}` },
      values: NEW_KEY,
    },
    shown: { isHidden: true },
  });
  expect(await at([0, -1], NEW_KEY)).toMatchObject({ status: 302, location: HERE });
});
