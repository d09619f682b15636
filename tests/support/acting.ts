import type { MiddlewareFunction } from "react-router";
import { Refusal } from "#app/domain/errors.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import type { Env } from "#app/configuration/env.ts";
import { actingCookie } from "#app/http/acting.server.ts";
import { viewerContext } from "#app/http/contexts.ts";
import { requireMember } from "#app/http/require-member.ts";
import { createRouteCaller, formRequest, TEST_ORIGIN } from "./call-route.ts";
import type { TestRoute } from "./call-route.ts";
import type { TestPerson } from "./people.ts";
import { testEnv } from "./worker-env.ts";

/** The signed-in member, and the team for whose page they act. */
export type ActingCaller = {
  person: TestPerson;
  isCreator?: boolean;
  isModerator?: boolean;
  teamId?: string;
  /** Of a session of the embedded identity, for acts that ask how long ago it began. */
  sessionCookie?: string;
  /** What the browser keeps beside it: "name=value". */
  cookie?: string;
};

/**
 * Calls the real routes as `person`, without signing in. Throws a refusal, whose name
 * `responseOutcome` returns.
 */
export function callRoutesAs(doorways: readonly TestRoute[], env: Env = testEnv) {
  const callers = new Map<string, Member>();
  const recognise: MiddlewareFunction<Response> = ({ request, context }) => {
    context.set(viewerContext, callers.get(request.headers.get("X-Caller") ?? "") ?? null);
  };
  const ask = createRouteCaller(
    doorways.map((doorway) => ({
      ...doorway,
      middleware: [
        recognise as MiddlewareFunction,
        requireMember as MiddlewareFunction,
        ...(doorway.middleware ?? []),
      ],
    })),
    env,
  );
  const headersOf = ({
    person,
    isCreator = false,
    isModerator = false,
    teamId,
    sessionCookie,
    cookie,
  }: ActingCaller): Record<string, string> => {
    callers.set(person.id, { ...person, avatarUrl: null, isCreator, isModerator, leavingAt: null });
    const cookies = [teamId && actingCookie(teamId).split(";")[0], sessionCookie, cookie].filter(
      Boolean,
    );
    return {
      "X-Caller": person.id,
      ...(cookies.length > 0 ? { Cookie: cookies.join("; ") } : {}),
    };
  };
  return {
    get: async (caller: ActingCaller, path: string) =>
      ask(new Request(TEST_ORIGIN + path, { headers: headersOf(caller) })),
    /** The loader data of a page. */
    read: async <Shown>(caller: ActingCaller, path: string): Promise<Shown> =>
      await (
        await ask(new Request(TEST_ORIGIN + path, { headers: headersOf(caller) }))
      ).json<Shown>(),
    /** Posts a form with files or repeated names, as a browser does. */
    postForm: async (caller: ActingCaller, path: string, form: FormData) =>
      ask(
        new Request(TEST_ORIGIN + path, {
          method: "POST",
          body: form,
          headers: { Origin: TEST_ORIGIN, ...headersOf(caller) },
        }),
      ),
    /** Sends any request, such as one that no page of ours makes. */
    send: async (caller: ActingCaller, path: string, init: RequestInit) =>
      ask(
        new Request(TEST_ORIGIN + path, {
          ...init,
          headers: {
            Origin: TEST_ORIGIN,
            ...Object.fromEntries(new Headers(init.headers)),
            ...headersOf(caller),
          },
        }),
      ),
    post: async (caller: ActingCaller, path: string, fields: Record<string, string>) =>
      ask(formRequest(path, fields, headersOf(caller))),
  };
}

/** The status of a response, such as "302", or the name of the thrown refusal. */
export async function responseOutcome(answer: Promise<Response>): Promise<string> {
  try {
    return String((await answer).status);
  } catch (error) {
    if (error instanceof Refusal) return error.name;
    throw error;
  }
}
