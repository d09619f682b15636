import { createExecutionContext } from "cloudflare:test";
import { createStaticHandler, RouterContextProvider } from "react-router";
import type {
  ActionFunction,
  LoaderFunction,
  MiddlewareFunction,
  RouteObject,
  UNSAFE_DataWithResponseInit as Data,
} from "react-router";
import { TERMS_VERSION } from "#app/domain/identity/registration/rules/terms.ts";
import type { Env } from "#app/configuration/env.ts";
import { pathnameMiddleware } from "#app/http/url-validation.ts";
import { cloudflareContext } from "#app/http/contexts.ts";
import { identityMiddleware } from "#app/http/identity/identity-middleware.ts";
import { originMiddleware } from "#app/http/origin.ts";
import { testEnv } from "./worker-env.ts";

export const TEST_ORIGIN = testEnv.APP_ORIGIN ?? "";

/** The loader and action of a route module, at its path. */
export type TestRoute = { path: string; module: object; middleware?: MiddlewareFunction[] };

/**
 * Calls the real root middlewares and route handlers without rendering. Returns their answer as a
 * Response, with `data()` as JSON. It keeps no cookies; the caller sends them.
 */
export function createRouteCaller(
  doorways: readonly TestRoute[],
  env: Env = testEnv,
): (request: Request) => Promise<Response> {
  const children: RouteObject[] = doorways.map(({ path, module, middleware }) => ({
    id: path,
    path,
    middleware: middleware ?? [],
    loader: handlerOf<LoaderFunction>(module, "loader"),
    action: handlerOf<ActionFunction>(module, "action"),
  }));
  const handler = createStaticHandler([
    {
      id: "root",
      path: "/",
      middleware: [
        originMiddleware,
        pathnameMiddleware,
        identityMiddleware,
      ] as MiddlewareFunction[],
      children,
    },
  ]);
  return async (request) => {
    const requestContext = new RouterContextProvider();
    requestContext.set(cloudflareContext, { env, ctx: createExecutionContext() });
    const answer: unknown = await handler.queryRoute(request, {
      requestContext,
      generateMiddlewareResponse: async (query) => asResponse(await query(request).catch(thrown)),
    });
    return asResponse(answer);
  };
}

function handlerOf<Handler>(module: object, name: "loader" | "action"): Handler | undefined {
  return name in module ? (Reflect.get(module, name) as Handler) : undefined;
}

function thrown(error: unknown): unknown {
  if (error instanceof Response || isData(error)) return error;
  throw error;
}

function isData(value: unknown): value is Data<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    "type" in value &&
    value.type === "DataWithResponseInit"
  );
}

function asResponse(answer: unknown): Response {
  if (answer instanceof Response) return answer;
  return isData(answer) ? Response.json(answer.data, answer.init ?? {}) : Response.json(answer);
}

/** A form post as a browser sends it from our own pages. */
export function formRequest(
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Request {
  return new Request(TEST_ORIGIN + path, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { Origin: TEST_ORIGIN, ...headers },
  });
}

/** An API request as a program sends it. */
export function jsonRequest(
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Request {
  return new Request(TEST_ORIGIN + path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", ...headers },
  });
}

/** The cookies that `response` sets, as the next request sends them. */
export function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .filter((cookie) => !/Max-Age=0/i.test(cookie))
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

let made = 0;

/** The fields of "Criar conta". */
export type SignUpFields = {
  name: string;
  username: string;
  email: string;
  password: string;
  birthDate: string;
  termsVersion: string;
};

/** Sign-up fields that no other test uses. */
export function signUpFields(name = "Lia Souza"): SignUpFields {
  made += 1;
  const username = `pessoa-${crypto.randomUUID().slice(0, 8)}-${made}`;
  return {
    name,
    username,
    email: `${username}@exemplo.test`,
    password: "uma senha comprida",
    birthDate: "31/01/1990",
    termsVersion: TERMS_VERSION,
  };
}
