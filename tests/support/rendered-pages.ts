import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import type { ComponentType } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import {
  createStaticHandler,
  createStaticRouter,
  RouterContextProvider,
  StaticRouterProvider,
  useActionData,
  useLoaderData,
} from "react-router";
import type { RouteObject } from "react-router";
import type { Context } from "#app/domain/context.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import { ownActor } from "#app/domain/teams/rules/actor.ts";
import {
  actorContext,
  cloudflareContext,
  domainContext,
  memberContext,
  viewerContext,
} from "#app/http/contexts.ts";
import type { TestPerson } from "./people.ts";
import { testEnv } from "./worker-env.ts";

/** A test's person as the product knows who is signed in. */
export const asMember = (person: TestPerson, more: Partial<Member> = {}): Member => ({
  ...person,
  avatarUrl: null,
  isCreator: false,
  isModerator: false,
  leavingAt: null,
  ...more,
});

/** A page by its route. */
export type RoutePage = { path: string; module: object };

/**
 * Opens pages as `who` and answers their HTML: the real loader and the real component, without the
 * layout around them. Throws when a page redirects or fails.
 */
export function renderPagesAs(
  ctx: () => Context,
  who: () => Member,
  pages: readonly RoutePage[],
): (url: string) => Promise<string> {
  const routes: RouteObject[] = pages.map(({ path, module }) => asRoute(path, module));
  const handler = createStaticHandler([
    // The company of the footer and of every offer comes with the root.
    {
      id: "root",
      path: "/",
      loader: () => ({ company: ctx().settings.company }),
      children: routes,
    },
  ]);
  return async (url) => {
    const requestContext = new RouterContextProvider();
    requestContext.set(domainContext, ctx());
    requestContext.set(viewerContext, who());
    requestContext.set(memberContext, who());
    requestContext.set(actorContext, ownActor(who()));
    requestContext.set(cloudflareContext, {
      env: testEnv,
      ctx: {
        waitUntil() {},
        passThroughOnException() {},
        props: {},
      } as unknown as ExecutionContext,
    });
    const answer = await handler.query(new Request(`${testEnv.APP_ORIGIN}${url}`), {
      requestContext,
    });
    if (answer instanceof Response) throw new Error(`${url} answers ${answer.status}`);
    const [error] = Object.values(answer.errors ?? {});
    if (error)
      throw new Error(
        `${url} fails: ${error instanceof Error ? error.stack : JSON.stringify(error)}`,
      );
    const page = createElement(StaticRouterProvider, {
      router: createStaticRouter(handler.dataRoutes, answer),
      context: answer,
      hydrate: false,
    });
    const client = new QueryClient();
    return renderToStaticMarkup(createElement(QueryClientProvider, { client }, page));
  };
}

function asRoute(path: string, module: object): RouteObject {
  const Page = Reflect.get(module, "default") as ComponentType<Record<string, unknown>>;
  const Component = () =>
    createElement(Page, {
      loaderData: useLoaderData(),
      actionData: useActionData(),
      params: {},
      matches: [],
    });
  return {
    id: path,
    path,
    loader: Reflect.get(module, "loader") as RouteObject["loader"],
    Component,
  } as RouteObject;
}
