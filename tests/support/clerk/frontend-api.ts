import { readFileSync } from "node:fs";
import { getCookieSuffix } from "@clerk/shared/keys";
import type { ClerkAPIErrorJSON, SignInJSON, SignUpJSON } from "@clerk/shared/types";
import { inRoot } from "#scripts/paths.ts";
import {
  CLERK_HOST,
  publishableKeyOf,
  SESSION_CATEGORY,
  TEMPLATE_CATEGORY,
} from "#tests/support/clerk-tokens.ts";
import type { ClerkKeys } from "#tests/support/clerk-tokens.ts";
import { testClock } from "#tests/support/clock.ts";
import { fakeOrganizations } from "./organizations.ts";
import {
  clientJson,
  environmentJson,
  sessionJson,
  signInJson,
  signUpJson,
  userJson,
  verificationJson,
} from "./json.ts";
import type { ClerkPerson } from "./json.ts";

export const CODE = "424242";

type Session = { id: string; person: ClerkPerson; startedAt: number; organizationId?: string };
type Client = {
  id: string;
  session: Session | null;
  signIn: SignInJSON | null;
  signInBy: ClerkPerson | null;
  signUp: SignUpJSON | null;
  signUpBy: ClerkPerson | null;
};
type Refusal = { path: RegExp; status: number; error: ClerkAPIErrorJSON };

export type FakeFrontendApi = Awaited<ReturnType<typeof fakeFrontendApi>>;

/**
 * A double of Clerk's two APIs, as far as the product and clerk-js call them. The Frontend API at
 * `clerk.coreto.test` also serves the real clerk-js and its screens from node_modules. The other is
 * the Backend API. All state is in memory, and every test creates its own people.
 */
export async function fakeFrontendApi({ appOrigin, keys }: { appOrigin: string; keys: ClerkKeys }) {
  const publishableKey = publishableKeyOf(CLERK_HOST);
  const suffix = await getCookieSuffix(publishableKey);
  const people = new Map<string, ClerkPerson>();
  const clients = new Map<string, Client>();
  const ended = new Set<string>();
  const handshakes = new Map<string, string[]>();
  const refusals: Refusal[] = [];
  const organizations = fakeOrganizations();
  const api = {
    publishableKey,
    organizations,
    /** Every request to the Frontend API, as `METHOD path`. */
    calls: [] as string[],
    /** Lifetime of a session token, in seconds. Clerk's is a minute. */
    tokenSeconds: 60,
    /** The template in its tokens. The product refuses a template other than its own. */
    template: "production",
    banned: new Set<string>(),
    isDown: false,
    addPerson(person: Omit<ClerkPerson, "id">): ClerkPerson {
      const made = { ...person, id: `user_${crypto.randomUUID().replaceAll("-", "")}` };
      people.set(made.id, made);
      return made;
    },
    /** Refuses the next request, except GET, to a matching path. */
    refuseNext(path: RegExp, error: ClerkAPIErrorJSON, status = 422): void {
      refusals.push({ path, status, error });
    },
    /** The refused sign-in of a person who returns from another provider. */
    nextSignIn: null as SignInJSON | null,
    frontend,
    backend,
    /** A valid token of this person for our API. */
    tokenFor: (person: ClerkPerson) =>
      token({ id: "sess_of_a_program", person, startedAt: 0 }, api.template),
    /** An expired session token, as a browser has it after sleeping. */
    tokenThatIsOver(person: ClerkPerson): Promise<string> {
      const session = [...clients.values()]
        .map((client) => client.session)
        .find((open) => open?.person.id === person.id);
      if (!session) throw new Error(`${person.username} is not signed in`);
      return token(session, undefined, -120);
    },
    /** Ends every session of this person, without notifying their browser. */
    endSessions(person: ClerkPerson): void {
      for (const { session } of clients.values())
        if (session?.person.id === person.id) ended.add(session.id);
    },
  };

  async function token(session: Session, template?: string, agoSeconds = 0): Promise<string> {
    const now = Math.floor(testClock.now() / 1000) + agoSeconds;
    const lifetime = template ? 60 : api.tokenSeconds;
    const claims = {
      sub: session.person.id,
      iss: `https://${CLERK_HOST}`,
      azp: appOrigin,
      iat: now,
      nbf: now - 10,
      exp: now + lifetime,
    };
    if (template)
      return keys.sign(
        { ...claims, jti: crypto.randomUUID(), tpl: api.template },
        { cat: TEMPLATE_CATEGORY },
      );
    return keys.sign(
      { ...claims, sid: session.id, sts: "active", fva: [0, -1], v: 2 },
      { cat: SESSION_CATEGORY },
    );
  }

  async function asJson(client: Client) {
    const open = client.session && !ended.has(client.session.id) ? client.session : null;
    const sessions = open ? [await openSessionJson(open)] : [];
    return clientJson(client.id, { sessions, sign_in: client.signIn, sign_up: client.signUp });
  }

  async function openSessionJson({ id, person, startedAt, organizationId }: Session) {
    const memberships = organizations.membershipsOf(person);
    return {
      ...sessionJson(id, person, await token({ id, person, startedAt })),
      last_active_organization_id: organizationId ?? null,
      user: { ...userJson(person), organization_memberships: memberships },
    };
  }

  function enter(client: Client, person: ClerkPerson): string {
    client.session = {
      id: `sess_${crypto.randomUUID().replaceAll("-", "")}`,
      person,
      startedAt: Math.floor(testClock.now() / 1000),
    };
    return client.session.id;
  }

  async function frontend(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const path = url.pathname.replace("/v1", "");
    const method = url.searchParams.get("_method") ?? request.method;
    api.calls.push(`${method} ${path}`);
    if (api.isDown) return new Response(null, { status: 503 });
    if (request.method === "OPTIONS")
      return new Response(null, { status: 204, headers: cors(request) });
    if (path.startsWith("/npm/")) return script(path);
    const client = clientOf(request);
    if (path === "/client/handshake") return handshake(client, url);
    const refusal = refusals.findIndex(
      (candidate) => candidate.path.test(path) && method !== "GET",
    );
    if (refusal >= 0) return refused(request, refusals.splice(refusal, 1)[0] as Refusal);
    const fields = new URLSearchParams(request.method === "POST" ? await request.text() : "");
    const answer = await answerTo(client, method, path, fields);
    if (!answer)
      return Response.json(
        { errors: [{ code: "resource_not_found", message: `${method} ${path}` }] },
        { status: 404, headers: cors(request) },
      );
    if ("refused" in answer) return refused(request, answer.refused);
    const headers = cors(request);
    for (const cookie of cookies(client)) headers.append("Set-Cookie", cookie);
    return Response.json(answer, { headers });
  }

  type Answer = { refused: Refusal } | object;

  async function answerTo(
    client: Client,
    method: string,
    path: string,
    fields: URLSearchParams,
  ): Promise<Answer | null> {
    if (path === "/environment") return environmentJson(appOrigin);
    if (path === "/client") return { response: await asJson(client), client: null };
    if (path === "/client/sessions" && method === "DELETE") {
      client.session = null;
      return { response: await asJson(client), client: null };
    }
    const { session } = client;
    const tokens = /^\/client\/sessions\/[^/]+\/tokens(?:\/([^/]+))?$/.exec(path);
    if (tokens)
      return session && !ended.has(session.id)
        ? { object: "token", jwt: await token(session, tokens[1]) }
        : unauthenticated();
    if (/^\/client\/sessions\/[^/]+\/touch$/.test(path) && session) {
      session.organizationId = fields.get("active_organization_id") || session.organizationId;
      return wrapped(client, await openSessionJson(session));
    }
    if (path.startsWith("/client/sign_ins"))
      return wrapped(client, await signIn(client, path, fields));
    if (path.startsWith("/client/sign_ups"))
      return wrapped(client, await signUp(client, method, path, fields));
    if (path === "/me" && session) return wrapped(client, userJson(session.person));
    if (path === "/me/sessions/active" && session)
      return [
        {
          ...sessionJson(session.id, session.person, ""),
          user: null,
          latest_activity: { object: "session_activity", id: "sact_1", browser_name: "Chromium" },
        },
      ];
    if (session && (path.startsWith("/me/organization_") || path.startsWith("/organizations")))
      return wrapped(client, organizations.answerTo(session.person, method, path, fields));
    return null;
  }

  async function wrapped(client: Client, response: object): Promise<object> {
    return "refused" in response ? response : { response, client: await asJson(client) };
  }

  async function signIn(client: Client, path: string, fields: URLSearchParams): Promise<object> {
    const identifier = fields.get("identifier");
    if (identifier !== null) {
      const person = [...people.values()].find(({ email, username }) =>
        [email, username].includes(identifier),
      );
      if (!person) return refusal("form_identifier_not_found", "identifier");
      client.signInBy = person;
      client.signIn = signInJson(person, { first_factor_verification: null });
    }
    const person = client.signInBy;
    if (!person)
      return (client.signIn = api.nextSignIn ?? signInJson(null, { status: "needs_identifier" }));
    if (path.endsWith("/prepare_first_factor"))
      return (client.signIn = signInJson(person, {
        first_factor_verification: verificationJson("email_code", "unverified"),
      }));
    const strategy = fields.get("strategy");
    if (strategy === "password" && fields.get("password") !== person.password)
      return refusal("form_password_incorrect", "password");
    if (strategy === "email_code" && fields.get("code") !== CODE)
      return refusal("form_code_incorrect", "code");
    if (strategy === null || client.signIn === null) return client.signIn ?? signInJson(person, {});
    const complete = signInJson(person, {
      status: "complete",
      first_factor_verification: verificationJson(strategy, "verified"),
      created_session_id: enter(client, person),
    });
    client.signIn = null;
    client.signInBy = null;
    return complete;
  }

  async function signUp(
    client: Client,
    method: string,
    path: string,
    fields: URLSearchParams,
  ): Promise<object> {
    const text = (name: string) => fields.get(name) ?? "";
    if (path === "/client/sign_ups" && method === "POST") {
      const taken = [...people.values()].find(
        ({ email, username }) => email === text("email_address") || username === text("username"),
      );
      if (taken)
        return refusal(
          "form_identifier_exists",
          taken.email === text("email_address") ? "email_address" : "username",
        );
      client.signUpBy = {
        id: "",
        email: text("email_address"),
        username: text("username"),
        firstName: text("first_name"),
        lastName: text("last_name"),
        password: text("password"),
      };
    }
    const person = client.signUpBy;
    if (!person) return refusal("resource_not_found");
    if (!path.endsWith("/attempt_verification")) return (client.signUp = signUpJson(person, {}));
    if (text("code") !== CODE) return refusal("form_code_incorrect", "code");
    const made = api.addPerson(person);
    client.signUp = null;
    client.signUpBy = null;
    return signUpJson(made, {
      status: "complete",
      unverified_fields: [],
      created_user_id: made.id,
      created_session_id: enter(client, made),
    });
  }

  /**
   * Clerk's handshake: redirects the browser back with a one-time nonce, for which the product's
   * server fetches the cookies.
   */
  async function handshake(client: Client, url: URL): Promise<Response> {
    const nonce = crypto.randomUUID();
    const session = client.session && !ended.has(client.session.id) ? client.session : null;
    const jwt = session ? await token(session) : "";
    const uat = `__client_uat=${session?.startedAt ?? 0}; Path=/; Domain=coreto.test; Secure; SameSite=Lax; Max-Age=315360000`;
    const own = `__session=${jwt}; Path=/; Secure; SameSite=Lax; Max-Age=${session ? 315_360_000 : 0}`;
    handshakes.set(nonce, [
      "__clerk_handshake_nonce=; Path=/; Domain=coreto.test; Secure; Max-Age=0",
      uat,
      uat.replace("__client_uat", `__client_uat_${suffix}`),
      own,
      own.replace("__session", `__session_${suffix}`),
    ]);
    const headers = new Headers({ Location: url.searchParams.get("redirect_url") ?? appOrigin });
    headers.append(
      "Set-Cookie",
      `__clerk_handshake_nonce=${nonce}; Path=/; Domain=coreto.test; Secure; SameSite=Lax; Max-Age=10`,
    );
    return new Response(null, { status: 307, headers });
  }

  async function backend(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    api.calls.push(`${request.method} ${pathname}`);
    if (request.headers.get("Authorization") !== "Bearer sk_live_of_a_test")
      return Response.json({ errors: [] }, { status: 401 });
    if (pathname === "/v1/clients/handshake_payload") {
      const nonce = searchParams.get("nonce") ?? "";
      const directives = handshakes.get(nonce);
      handshakes.delete(nonce);
      return directives
        ? Response.json({ directives })
        : Response.json({ errors: [] }, { status: 404 });
    }
    const revoked = /^\/v1\/sessions\/([^/]+)\/revoke$/.exec(pathname)?.[1];
    if (revoked) {
      ended.add(revoked);
      return Response.json({});
    }
    const person = people.get(/^\/v1\/users\/([^/]+)$/.exec(pathname)?.[1] ?? "");
    return person
      ? Response.json({ ...userJson(person), banned: api.banned.has(person.id) })
      : Response.json({ errors: [] }, { status: 404 });
  }

  function clientOf(request: Request): Client {
    const id =
      /(?:^|;\s*)__client=([^;]+)/.exec(request.headers.get("Cookie") ?? "")?.[1] ??
      `client_${crypto.randomUUID()}`;
    const known = clients.get(id) ?? {
      id,
      session: null,
      signIn: null,
      signInBy: null,
      signUp: null,
      signUpBy: null,
    };
    clients.set(id, known);
    if (api.nextSignIn && !known.signIn) known.signIn = api.nextSignIn;
    return known;
  }

  function cookies(client: Client): string[] {
    const uat = client.session && !ended.has(client.session.id) ? client.session.startedAt : 0;
    const site = "Path=/; Domain=coreto.test; Secure; SameSite=Lax; Max-Age=315360000";
    return [
      `__client=${client.id}; Path=/; Secure; HttpOnly; SameSite=Lax`,
      `__client_uat=${uat}; ${site}`,
      `__client_uat_${suffix}=${uat}; ${site}`,
    ];
  }

  return api;
}

function refusal(code: string, param?: string): { refused: Refusal } {
  return {
    refused: {
      path: /^/,
      status: 422,
      error: {
        code,
        message: "in English",
        long_message: "in English",
        ...(param ? { meta: { param_name: param } } : {}),
      },
    },
  };
}

const unauthenticated = (): { refused: Refusal } => ({
  refused: {
    path: /^/,
    status: 401,
    error: { code: "authentication_invalid", message: "in English" },
  },
});

function refused(request: Request, { status, error }: Refusal): Response {
  return Response.json({ errors: [error] }, { status, headers: cors(request) });
}

function cors(request: Request): Headers {
  return new Headers({
    "Access-Control-Allow-Origin": request.headers.get("Origin") ?? "*",
    "Access-Control-Allow-Credentials": "true",
    "Access-Control-Allow-Methods": "GET, POST",
    "Access-Control-Allow-Headers": "authorization, content-type",
  });
}

/** Serves `/npm/@clerk/clerk-js@6/dist/…` from the installed package, for any requested version. */
function script(path: string): Response {
  const [, name, file] =
    /^\/npm\/@clerk\/(clerk-js|ui)@[^/]+\/dist\/([\w.-]+\.js)$/.exec(path) ?? [];
  if (!name || !file) return new Response(null, { status: 404 });
  return new Response(readFileSync(inRoot("node_modules", "@clerk", name, "dist", file)), {
    headers: {
      "Content-Type": "text/javascript; charset=utf-8",
      "Access-Control-Allow-Origin": "*",
      "Cache-Control": "public, max-age=3600",
    },
  });
}
