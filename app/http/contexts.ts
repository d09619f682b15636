import { createContext } from "react-router";
import type { Context } from "#app/domain/context.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import type { ApiScope } from "#app/domain/identity/schema/api-keys.ts";
import type { Env } from "#app/env.ts";

/** What the worker was given with the request; set by workers/app.ts. */
export const cloudflareContext = createContext<{ env: Env; ctx: ExecutionContext }>();

/** The domain's `ctx`; set by the root middleware for every request. */
export const domainContext = createContext<Context>();

/** Who is looking, or null; set by the root middleware. On pages that are the same for everyone it is always null. */
export const viewerContext = createContext<Member | null>();

/** What the API key of the request allows, or null when its person came in without one and may do everything. */
export const keyScopesContext = createContext<readonly ApiScope[] | null>(null);

/** Why whoever is signed in at the identity provider is not welcome here, in words for them; null for everybody else. */
export const refusedContext = createContext<string | null>(null);

/** Who is looking, below `requireMember`. */
export const memberContext = createContext<Member>();
