import type { MiddlewareFunction } from "react-router";
import { Refusal } from "#app/domain/errors.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import type { Env } from "#app/env.ts";
import { actingCookie } from "#app/http/acting.server.ts";
import { viewerContext } from "#app/http/contexts.ts";
import { requireMember } from "#app/http/require-member.ts";
import { createRouteCaller, formRequest, TEST_ORIGIN } from "./call-route.ts";
import type { TestRoute } from "./call-route.ts";
import type { TestPerson } from "./people.ts";
import { testEnv } from "./worker-env.ts";

/** Who asks, and for which team's page their browser acts. */
export type ActingCaller = {
  person: TestPerson;
  isCreator?: boolean;
  isModerator?: boolean;
  teamId?: string;
  /** What the browser keeps beside it: "name=value". */
  cookie?: string;
};

/**
 * The real doors, opened by whoever `createPerson` is: signing in is another test's. An answer is
 * its status, or the name of the refusal that a page with a session of its own would turn into
 * one.
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
    cookie,
  }: ActingCaller): Record<string, string> => {
    callers.set(person.id, { ...person, avatarUrl: null, isCreator, isModerator, leavingAt: null });
    return {
      "X-Caller": person.id,
      ...(teamId ? { Cookie: actingCookie(teamId).split(";")[0] ?? "" } : {}),
      ...(cookie ? { Cookie: cookie } : {}),
    };
  };
  return {
    get: async (caller: ActingCaller, path: string) =>
      ask(new Request(TEST_ORIGIN + path, { headers: headersOf(caller) })),
    /** What a page is given to show. */
    read: async <Shown>(caller: ActingCaller, path: string): Promise<Shown> =>
      await (
        await ask(new Request(TEST_ORIGIN + path, { headers: headersOf(caller) }))
      ).json<Shown>(),
    /** A form with files, or with a name more than once, as a browser sends them. */
    postForm: async (caller: ActingCaller, path: string, form: FormData) =>
      ask(
        new Request(TEST_ORIGIN + path, {
          method: "POST",
          body: form,
          headers: { Origin: TEST_ORIGIN, ...headersOf(caller) },
        }),
      ),
    post: async (caller: ActingCaller, path: string, fields: Record<string, string>) =>
      ask(formRequest(path, fields, headersOf(caller))),
  };
}

/** "200", "302", "403", or the refusal's name. */
export async function responseOutcome(answer: Promise<Response>): Promise<string> {
  try {
    return String((await answer).status);
  } catch (error) {
    if (error instanceof Refusal) return error.name;
    throw error;
  }
}
