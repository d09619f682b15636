import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import routes from "#app/routes.ts";
import {
  APP_ORIGIN,
  clerkProduct,
  expectNothingRefused,
  identifier,
  signIn,
} from "#tests/support/clerk/product.ts";
import type { ClerkProduct } from "#tests/support/clerk/product.ts";
import type { RouteConfigEntry } from "@react-router/dev/routes";

let product: ClerkProduct;

beforeAll(async () => {
  product = await clerkProduct();
}, 240_000);

afterAll(() => product.stop());

beforeEach(() => {
  Object.assign(product.clerk, {
    isDown: false,
    template: "production",
    tokenSeconds: 60,
    nextSignIn: null,
  });
  product.clerk.calls.length = 0;
  product.complaints.length = 0;
});

// Clerk's screens of the account and of teams need no "unsafe-inline".
afterEach(() => expectNothingRefused(product));

async function signedIn(options: Parameters<ClerkProduct["newPage"]>[0] = {}) {
  const person = await product.member();
  const page = await product.newPage(options);
  // Waits for the first page's own call, so that the next one belongs to the test.
  await Promise.all([
    page.waitForResponse((response) => new URL(response.url()).pathname === "/api/v1/users/me"),
    signIn(page, person),
  ]);
  return { page, person };
}

const called = (pattern: RegExp) => product.clerk.calls.filter((call) => pattern.test(call));

/** Returns the next request for our own API, with its headers and its response. */
async function apiCall(
  page: Page,
  act: () => Promise<unknown>,
): Promise<{ authorization: string | null; status: number }> {
  const [answer] = await Promise.all([
    page.waitForResponse((response) => new URL(response.url()).pathname === "/api/v1/users/me"),
    act(),
  ]);
  return {
    authorization: await answer.request().headerValue("Authorization"),
    status: answer.status(),
  };
}

describe("token for our own API", () => {
  test("is sent with each API call and identifies the member without a cookie", async () => {
    const { page, person } = await signedIn();
    const { authorization, status } = await apiCall(page, () => page.reload());
    expect(status).toBe(200);
    expect(authorization).toMatch(/^Bearer /);
    expect(called(/\/tokens\/production$/)).not.toEqual([]);
    const alone = await product.ask("/api/v1/users/me", {
      headers: { Authorization: authorization ?? "" },
    });
    expect(await alone.json()).toMatchObject({ username: person.username });
  });

  test("is refused when it comes from another Clerk template", async () => {
    const { page } = await signedIn();
    product.clerk.template = "preview";
    const { authorization, status } = await apiCall(page, () => page.reload());
    expect(authorization).toMatch(/^Bearer /);
    expect(status).toBe(401);
  });

  test("is logged when it cannot be obtained, and the call is sent without it", async () => {
    const { page } = await signedIn();
    product.clerk.refuseNext(
      /\/tokens\/production$/,
      { code: "resource_not_found", message: "in English" },
      404,
    );
    const { authorization, status } = await apiCall(page, () => page.reload());
    expect(authorization).toBeNull();
    expect(status).toBe(200);
    await expect.poll(() => product.complaints.join("\n")).toContain("identity.token_failed");
  });
});

describe("Clerk session", () => {
  test("refreshes its token before it expires while a page stays open", async () => {
    const { page } = await signedIn();
    const sessionCookie = async () =>
      (await page.context().cookies(APP_ORIGIN)).find(({ name }) => name === "__session")?.value;
    // Simulates a token whose minute is nearly over.
    product.clerk.tokenSeconds = 12;
    await page.reload();
    const first = await sessionCookie();
    await page.waitForResponse((response) =>
      /\/v1\/client\/sessions\/[^/]+\/tokens\?/.test(response.url()),
    );
    await expect.poll(sessionCookie).not.toBe(first);
    product.clerk.calls.length = 0;
    await page.getByRole("link", { name: "Notificações" }).first().click();
    await page.waitForURL("**/notifications");
    expect(called(/handshake/)).toEqual([]);
  });

  test("with an expired token is refreshed through Clerk and returns to the requested page", async () => {
    const { page, person } = await signedIn();
    const over = await product.clerk.tokenThatIsOver(person);
    const kept = (await page.context().cookies(APP_ORIGIN)).filter(({ name }) =>
      name.startsWith("__session"),
    );
    await page.goto("about:blank");
    await page.context().addCookies(kept.map((cookie) => ({ ...cookie, value: over })));
    await page.goto("/notifications?from=here");
    expect(page.url()).toBe(`${APP_ORIGIN}/notifications?from=here`);
    expect(called(/handshake/)).toEqual([
      "GET /client/handshake",
      "GET /v1/clients/handshake_payload",
    ]);
  });

  test("that ended at Clerk leads to sign-in and back to the requested page", async () => {
    const { page, person } = await signedIn();
    product.clerk.endSessions(person);
    await page.context().clearCookies({ name: /^__session/ });
    await page.goto("/notifications");
    await page.waitForURL("**/auth/login?to=%2Fnotifications");
    await identifier(page).waitFor();
    expect(called(/handshake/)).not.toEqual([]);
  });

  test("ends here and at Clerk with the sign-out button, and stays ended", async () => {
    const { page } = await signedIn();
    await page.getByRole("button", { name: "Sair" }).first().focus();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/auth/login");
    await identifier(page).waitFor();
    expect(called(/^POST \/v1\/sessions\/.+\/revoke$/)).toHaveLength(1);
    await page.goto("/notifications");
    await page.waitForURL("**/auth/login?to=%2Fnotifications");
  });
});

describe("member without access", () => {
  test("reads the reason once and can sign out, without a redirect loop", async () => {
    const person = product.clerk.addPerson(product.newcomer());
    product.clerk.banned.add(person.id);
    const page = await product.newPage();
    await signIn(page, person, "/auth/login?to=%2Fexplore", "/explore");
    await page.getByRole("alert").filter({ hasText: "suspensa" }).waitFor();
    const documents: string[] = [];
    page.on(
      "request",
      (request) => void (request.isNavigationRequest() && documents.push(request.url())),
    );
    await page.goto("/notifications");
    await page.getByRole("alert").filter({ hasText: "suspensa" }).waitFor();
    expect(documents).toEqual([
      `${APP_ORIGIN}/notifications`,
      `${APP_ORIGIN}/auth/login?to=%2Fnotifications`,
    ]);
    await page.getByRole("button", { name: "Sair desta conta" }).press("Enter");
    await identifier(page).waitFor();
  });
});

describe("account page", () => {
  test("shows Clerk's screen with its sub-paths, and links no page of the embedded identity", async () => {
    const { page } = await signedIn();
    await page.goto("/auth/account");
    await page.getByText("Atualizar perfil").waitFor();
    await page.getByRole("button", { name: "Segurança" }).press("Enter");
    await page.waitForURL("**/auth/account/security");
    await page.getByText("Dispositivos ativos").waitFor();
    await page.reload();
    await page.getByText("Dispositivos ativos").waitFor();
    await expect
      .poll(() =>
        page.getByText("Excluir Conta", { exact: true }).filter({ visible: true }).count(),
      )
      .toBe(0);
    await expect
      .poll(() => page.getByRole("link", { name: /Excluir conta/ }).isVisible())
      .toBe(true);
    await expect
      .poll(() => page.getByRole("link", { name: /Chaves de API/ }).isVisible())
      .toBe(true);
    for (const own of [
      "/auth/account/password",
      "/auth/account/passkeys",
      "/auth/account/second-factor",
      "/auth/account/email",
    ]) {
      await expect.poll(() => page.locator(`a[href^="${own}"]`).count(), { message: own }).toBe(0);
    }
    await page.getByRole("link", { name: /Chaves de API/ }).press("Enter");
    await page.waitForURL("**/auth/account/keys");
  });

  test("has no page that only the embedded identity offers", async () => {
    const { page } = await signedIn();
    const paths = pathsBelow("auth/").filter((path) => !OURS_WITH_CLERK.has(path));
    const statuses = await page.evaluate(
      (asked) =>
        Promise.all(
          asked.map(
            async (path) =>
              `${path}: ${(await fetch(`/${path.replaceAll(/:\w+/g, "0".repeat(64))}`, { redirect: "manual" })).status}`,
          ),
        ),
      paths,
    );
    expect(statuses.filter((line) => !line.endsWith(": 404"))).toEqual([]);
  });
});

describe("Clerk teams", () => {
  test("are created on Clerk's screen, stored from its webhook event, and managed at Clerk", async () => {
    const { page, person } = await signedIn();
    await page.goto("/settings/teams");
    await page.getByText("Nenhuma equipe selecionada").first().waitFor();
    await page.getByLabel("Nome da equipe").fill("Casa da Rabeca");
    await page.getByRole("button", { name: "Criar equipe" }).press("Enter");
    await page.waitForURL("**/settings/teams/manage");
    await page.getByRole("button", { name: "Membros" }).press("Enter");
    await page.waitForURL("**/settings/teams/manage/organization-members");
    const [membership] = product.clerk.organizations.membershipsOf(person);
    expect(
      await product.deliver({
        type: "organization.created",
        data: { ...membership?.organization, created_by: person.id },
      }),
    ).toBe(200);
    await page.goto("/settings/teams");
    await page.getByRole("link", { name: /Casa da Rabeca/ }).press("Enter");
    await page.getByRole("link", { name: "configurações da equipe" }).press("Enter");
    await page.waitForURL("**/settings/teams/manage");
    expect(
      await product.deliver({
        type: "organization.deleted",
        data: { id: membership?.organization.id },
      }),
    ).toBe(200);
    await page.goto("/settings/teams");
    await expect.poll(() => page.getByRole("link", { name: /Casa da Rabeca/ }).count()).toBe(0);
  });
});

/** Every other page below `/auth` belongs to the embedded identity. */
const OURS_WITH_CLERK = new Set([
  "auth/again",
  "auth/login",
  "auth/register",
  "auth/register/profile",
  "auth/logout",
  "auth/account/*",
  "auth/account/keys",
  "auth/account/keys/create",
  "auth/account/keys/:keyId/revocation",
  "auth/account/deletion",
  "auth/account/deletion/cancellation",
]);

function pathsBelow(prefix: string, entries: RouteConfigEntry[] = routes): string[] {
  return entries.flatMap(({ path, children }) => [
    ...(path?.startsWith(prefix) ? [path] : []),
    ...pathsBelow(prefix, children ?? []),
  ]);
}

test("when Clerk is unreachable, public pages still load and the sign-in page says so", async () => {
  product.clerk.isDown = true;
  const page = await product.newPage();
  await page.goto("/terms");
  await expect.poll(() => page.getByRole("heading", { level: 1 }).innerText()).toContain("Termos");
  await page.goto("/auth/login");
  await page
    .getByText(
      "O serviço que confirma quem você é não respondeu. Tente de novo em alguns instantes.",
    )
    .waitFor();
  product.clerk.isDown = false;
  await page.getByRole("button", { name: "Tentar de novo" }).press("Enter");
  await identifier(page).waitFor();
});
