import { desc, eq } from "drizzle-orm";
import type { MiddlewareFunction } from "react-router";
import { openDatabase } from "#app/db/client.server.ts";
import { viewerContext } from "#app/http/contexts.ts";
import { requireMember } from "#app/http/require-member.ts";
import * as account from "#app/routes/auth/account.tsx";
import * as confirm from "#app/routes/auth/account/confirm.tsx";
import * as email from "#app/routes/auth/account/email.tsx";
import * as keyCreate from "#app/routes/auth/account/key-create.tsx";
import * as withdrawalMethod from "#app/routes/settings/withdrawal-method.tsx";
import * as password from "#app/routes/auth/account/password.tsx";
import * as sessionEnd from "#app/routes/auth/account/session-end.tsx";
import * as verifySend from "#app/routes/auth/account/verify-send.tsx";
import * as verify from "#app/routes/auth/account/verify.tsx";
import * as login from "#app/routes/auth/login.tsx";
import * as register from "#app/routes/auth/register.tsx";
import * as resetCode from "#app/routes/auth/reset-code.tsx";
import * as resetLink from "#app/routes/auth/reset-link.tsx";
import * as reset from "#app/routes/auth/reset.tsx";
import * as verifyLink from "#app/routes/auth/verify-link.tsx";
import { localMails } from "#drizzle/schema/mail.ts";
import { door, formRequest, newcomer, ORIGIN } from "#tests/support/door.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import type { LoaderFunctionArgs } from "react-router";

const whoami = { loader: ({ context }: LoaderFunctionArgs) => Response.json(context.get(viewerContext)) };
const members = { middleware: [requireMember as MiddlewareFunction] };

const ask = door([
  { path: "who", module: whoami },
  { path: "auth/login", module: login },
  { path: "auth/register", module: register },
  { path: "auth/reset", module: reset },
  { path: "auth/reset/code", module: resetCode },
  { path: "auth/reset/:token", module: resetLink },
  { path: "auth/verify/:token", module: verifyLink },
  { path: "auth/account", module: account, ...members },
  { path: "auth/account/email", module: email, ...members },
  { path: "auth/account/keys/create", module: keyCreate, ...members },
  { path: "settings/withdrawal-method", module: withdrawalMethod, ...members },
  { path: "auth/account/password", module: password, ...members },
  { path: "auth/account/sessions/:sessionId/end", module: sessionEnd, ...members },
  { path: "auth/confirm", module: confirm, ...members },
  { path: "auth/verify", module: verify, ...members },
  { path: "auth/verify/send", module: verifySend, ...members },
]);

/** A browser at the account's own pages: keeps its cookies from one request to the next. */
export function accountBrowser() {
  const cookies = new Map<string, string>();
  const keep = (response: Response): Response => {
    for (const set of response.headers.getSetCookie()) {
      const [pair = ""] = set.split(";");
      const name = pair.slice(0, pair.indexOf("="));
      if (/Max-Age=0/i.test(set)) cookies.delete(name);
      else cookies.set(name, pair.slice(name.length + 1));
    }
    return response;
  };
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return {
    cookies,
    get: async (path: string) => keep(await ask(new Request(ORIGIN + path, { headers: { Cookie: cookie() } }))),
    post: async (path: string, fields: Record<string, string> = {}) => keep(await ask(formRequest(path, fields, { Cookie: cookie() }))),
  };
}

export type AccountBrowser = ReturnType<typeof accountBrowser>;

/** Somebody who just signed up, in their browser, with the first mail that they got. */
export async function signedUp() {
  const browser = accountBrowser();
  const person = newcomer();
  await browser.post("/auth/register", person);
  return { browser, person, mail: await mailTo(person.email) };
}

/** Whoever this browser is, by username; null for nobody. */
export async function usernameOf(browser: AccountBrowser): Promise<string | null> {
  const viewer = (await (await browser.get("/who")).json()) as { username: string } | null;
  return viewer?.username ?? null;
}

export type Problem = { errors: Record<string, string>; message: string | null };

/** Why an answer refused, as one sentence with its status. */
export async function refusalIn(answer: Response): Promise<string> {
  const { errors, message } = (await answer.json()) as Problem;
  return `${answer.status} ${message ?? Object.values(errors).join(" ")}`;
}

const db = openDatabase(testEnv.DB);

export async function mailsTo(recipient: string) {
  return db.select().from(localMails).where(eq(localMails.recipient, recipient)).orderBy(desc(localMails.createdAt));
}

/** The `count`-th mail to somebody, once it is there: some go out behind the answer. With its code and link's path. */
export async function mailTo(recipient: string, count = 1): Promise<{ subject: string; body: string; code: string; path: string }> {
  for (let tries = 0; tries < 200; tries += 1) {
    const mails = await mailsTo(recipient);
    const [latest] = mails;
    if (latest && mails.length >= count) return { ...latest, code: /\b\d{6}\b/.exec(latest.body)?.[0] ?? "", path: /http\S+(\/auth\/(?:verify|reset)\/[0-9a-f]{64})/.exec(latest.body)?.[1] ?? "" };
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`no ${count}. mail to ${recipient}`);
}

/** A code that is certainly not `code`. */
export const otherThan = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, "0");
