import { desc, eq } from "drizzle-orm";
import type { MiddlewareFunction } from "react-router";
import { openDatabase } from "#app/db/client.server.ts";
import { viewerContext } from "#app/http/contexts.ts";
import { requireMember } from "#app/http/require-member.ts";
import * as account from "#app/routes/auth/account.tsx";
import * as confirm from "#app/routes/auth/account/confirm.tsx";
import * as deletionCancellation from "#app/routes/auth/account/deletion-cancellation.tsx";
import * as deletion from "#app/routes/auth/account/deletion.tsx";
import * as contactCode from "#app/routes/auth/account/contacts/contact-code.tsx";
import * as contactCodeSend from "#app/routes/auth/account/contacts/contact-code-send.tsx";
import * as contactPrimary from "#app/routes/auth/account/contacts/contact-primary.tsx";
import * as contactRemoval from "#app/routes/auth/account/contacts/contact-removal.tsx";
import * as email from "#app/routes/auth/account/contacts/email.ts";
import * as emails from "#app/routes/auth/account/contacts/emails.tsx";
import * as pictureRemoval from "#app/routes/auth/account/picture-removal.tsx";
import * as profile from "#app/routes/auth/account/profile.tsx";
import * as username from "#app/routes/auth/account/username.tsx";
import * as phones from "#app/routes/auth/account/contacts/phones.tsx";
import * as keyCreate from "#app/routes/auth/account/api-keys/key-create.tsx";
import * as policies from "#app/routes/settings/policies.tsx";
import * as checkDocuments from "#app/routes/settings/documents/check-documents.tsx";
import * as withdrawalMethod from "#app/routes/settings/payouts/withdrawal-method.tsx";
import * as password from "#app/routes/auth/account/sign-in-methods/password.tsx";
import * as sessionEnd from "#app/routes/auth/account/session-end.tsx";
import * as verify from "#app/routes/auth/account/contacts/verify.ts";
import * as codeEntry from "#app/routes/auth/code-entry.tsx";
import * as code from "#app/routes/auth/code.tsx";
import * as login from "#app/routes/auth/login.tsx";
import * as registerCodeSend from "#app/routes/auth/register-code-send.tsx";
import * as registerCode from "#app/routes/auth/register-code.tsx";
import * as registerLink from "#app/routes/auth/register-link.tsx";
import * as registerProfile from "#app/routes/auth/register-profile.tsx";
import * as registerTaken from "#app/routes/auth/register-taken.tsx";
import * as register from "#app/routes/auth/register.tsx";
import * as resetCode from "#app/routes/auth/reset-code.tsx";
import * as resetLink from "#app/routes/auth/reset-link.tsx";
import * as reset from "#app/routes/auth/reset.tsx";
import * as verifyLink from "#app/routes/auth/verify-link.tsx";
import { localMails } from "#drizzle/schema/mail.ts";
import { localTexts } from "#drizzle/schema/sms.ts";
import { createRouteCaller, formRequest, signUpFields, TEST_ORIGIN } from "./call-route.ts";
import type { SignUpFields } from "./call-route.ts";
import { insertMember, sessionCookies } from "./registered.ts";
import { testEnv } from "./worker-env.ts";
import type { LoaderFunctionArgs } from "react-router";

const whoami = {
  loader: ({ context }: LoaderFunctionArgs) => Response.json(context.get(viewerContext)),
};
const members = { middleware: [requireMember as MiddlewareFunction] };

const ask = createRouteCaller([
  { path: "who", module: whoami },
  { path: "auth/login", module: login },
  { path: "auth/register", module: register },
  { path: "auth/register/code", module: registerCode },
  { path: "auth/register/code/send", module: registerCodeSend },
  { path: "auth/register/link/:token", module: registerLink },
  { path: "auth/register/profile", module: registerProfile },
  { path: "auth/code", module: code },
  { path: "auth/code/entry", module: codeEntry },
  { path: "auth/register/taken", module: registerTaken },
  { path: "settings/policies", module: policies, ...members },
  { path: "auth/reset", module: reset },
  { path: "auth/reset/code", module: resetCode },
  { path: "auth/reset/:token", module: resetLink },
  { path: "auth/verify/:token", module: verifyLink },
  { path: "auth/account", module: account, ...members },
  { path: "auth/account/email", module: email, ...members },
  { path: "auth/account/profile", module: profile, ...members },
  { path: "auth/account/username", module: username, ...members },
  { path: "auth/account/picture/removal", module: pictureRemoval, ...members },
  { path: "auth/account/emails", module: emails, ...members },
  { path: "auth/account/phones", module: phones, ...members },
  { path: "auth/account/:contacts/:contactId/code", module: contactCode, ...members },
  { path: "auth/account/:contacts/:contactId/code/send", module: contactCodeSend, ...members },
  { path: "auth/account/:contacts/:contactId/primary", module: contactPrimary, ...members },
  { path: "auth/account/:contacts/:contactId/removal", module: contactRemoval, ...members },
  { path: "auth/account/keys/create", module: keyCreate, ...members },
  { path: "settings/check-documents", module: checkDocuments, ...members },
  { path: "settings/withdrawal-method", module: withdrawalMethod, ...members },
  { path: "auth/account/password", module: password, ...members },
  { path: "auth/account/sessions/:sessionId/end", module: sessionEnd, ...members },
  { path: "auth/account/deletion", module: deletion, ...members },
  { path: "auth/account/deletion/cancellation", module: deletionCancellation, ...members },
  { path: "auth/confirm", module: confirm, ...members },
  { path: "auth/verify", module: verify, ...members },
]);

/** A browser on the account pages, which keeps its cookies between requests. */
export function accountBrowser(answer = ask, cookies = new Map<string, string>()) {
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
    get: async (path: string) =>
      keep(await answer(new Request(TEST_ORIGIN + path, { headers: { Cookie: cookie() } }))),
    /** Posts a form with files. */
    postForm: async (path: string, form: FormData) =>
      keep(
        await ask(
          new Request(TEST_ORIGIN + path, {
            method: "POST",
            body: form,
            headers: { Origin: TEST_ORIGIN, Cookie: cookie() },
          }),
        ),
      ),
    post: async (path: string, fields: Record<string, string> = {}) =>
      keep(await answer(formRequest(path, fields, { Cookie: cookie() }))),
  };
}

export type AccountBrowser = ReturnType<typeof accountBrowser>;

/** Creates a member who just signed in, with their browser. */
export async function signedUp({
  isEmailVerified = true,
  ...changes
}: { isEmailVerified?: boolean; email?: string } = {}) {
  const person = { ...signUpFields(), ...changes };
  const { userId } = await insertMember(person, { isEmailVerified });
  const browser = accountBrowser();
  for (const [name, value] of (await sessionCookies(userId))
    .split("; ")
    .map((pair) => pair.split(/=(.*)/s)))
    browser.cookies.set(name ?? "", value ?? "");
  return { browser, person, userId };
}

/** Creates an imported member with an unverified e-mail address, and requests its code. */
export async function memberWithUnverifiedEmail() {
  const { browser, person, userId } = await signedUp({ isEmailVerified: false });
  const path = `/auth/account/emails/${userId}/code`;
  await browser.post(`${path}/send`);
  return { browser, person, path, mail: await mailTo(person.email) };
}

/** Starts a sign-up, with the email that brings its code. */
export async function signingUp(changes: Partial<SignUpFields> = {}, path = "/auth/register") {
  const browser = accountBrowser();
  const person = { ...signUpFields(), ...changes };
  const answer = await browser.post(path, person);
  return { browser, person, answer, mail: await mailTo(person.email.toLowerCase()) };
}

/** Username of the member signed in to the browser, or null. */
export async function usernameOf(browser: AccountBrowser): Promise<string | null> {
  const viewer = (await (await browser.get("/who")).json()) as { username: string } | null;
  return viewer?.username ?? null;
}

type FormRefusal = { errors: Record<string, string>; message: string | null };

/** Status and refusal message of a response, as one text. */
export async function refusalIn(answer: Response): Promise<string> {
  const { errors, message } = (await answer.json()) as FormRefusal;
  return `${answer.status} ${message ?? Object.values(errors).join(" ")}`;
}

const db = openDatabase(testEnv.DB);

export async function mailsTo(recipient: string) {
  return db
    .select()
    .from(localMails)
    .where(eq(localMails.recipient, recipient))
    .orderBy(desc(localMails.createdAt));
}

/**
 * Waits for the `count`-th email to a person, because some are sent after the response. Returns it
 * with its code and the path of its link.
 */
export async function mailTo(
  recipient: string,
  count = 1,
): Promise<{ subject: string; body: string; code: string; path: string }> {
  for (let tries = 0; tries < 200; tries += 1) {
    const mails = await mailsTo(recipient);
    const [latest] = mails;
    if (latest && mails.length >= count)
      return {
        ...latest,
        code: /\b\d{6}\b/.exec(latest.body)?.[0] ?? "",
        path:
          /http\S+(\/auth\/(?:verify|reset|register\/link)\/[0-9a-f]{64})/.exec(latest.body)?.[1] ??
          "",
      };
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`no ${count}. mail to ${recipient}`);
}

/** Waits for the `count`-th text message to a phone. Returns the newest and how many there are. */
export async function textTo(
  recipient: string,
  count = 1,
): Promise<{ body: string; code: string }> {
  for (let tries = 0; tries < 200; tries += 1) {
    const texts = await textsTo(recipient);
    const [latest] = texts;
    if (latest && texts.length >= count)
      return { ...latest, code: /\b\d{6}\b/.exec(latest.body)?.[0] ?? "" };
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`no ${count}. text message`);
}

export async function textsTo(recipient: string) {
  return db
    .select()
    .from(localTexts)
    .where(eq(localTexts.recipient, recipient))
    .orderBy(desc(localTexts.createdAt));
}

let lastPhone = 10_000_000 + Math.floor(Math.random() * 70_000_000);

/** An unused mobile number of São Paulo, in E.164. */
export function freshPhone(): string {
  lastPhone += 1;
  return `+55119${lastPhone}`;
}

/** A code that differs from `code`. */
export const codeOtherThan = (code: string): string =>
  String((Number(code) + 1) % 1_000_000).padStart(6, "0");
