import { createContext } from "react-router";
import type { Context } from "#app/domain/context.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import type { ApiScope } from "#app/domain/identity/api-keys/schema.ts";
import type { Actor } from "#app/domain/teams/rules/actor.ts";
import type { Env } from "#app/env.ts";

/** What the worker was given with the request; set by workers/app.ts. */
export const cloudflareContext = createContext<{ env: Env; ctx: ExecutionContext }>();

/** The domain's `ctx`; set by the root middleware for every request. */
export const domainContext = createContext<Context>();

/**
 * Who is looking, or null; set by the root middleware. On pages that are the same for everyone it
 * is always null.
 */
export const viewerContext = createContext<Member | null>();

/**
 * Who is signed in but has not finished their profile, so that they are no member yet; null for
 * everybody else.
 */
export const incompleteMemberContext = createContext<Member | null>(null);

/**
 * What the API key of the request allows, or null when its person came in without one and may do
 * everything.
 */
export const keyScopesContext = createContext<readonly ApiScope[] | null>(null);

/**
 * Why whoever is signed in at the identity provider is not welcome here, in words for them; null
 * for everybody else.
 */
export const blockedSignInContext = createContext<string | null>(null);

/**
 * Why nobody can tell who is signed in, while the identity provider does not answer; null when it
 * does, or was not asked.
 */
export const identityUnavailableContext = createContext<string | null>(null);

/** True once a request that only reads wrote something all the same, so that the next one sees it. */
export const didWriteContext = createContext<boolean>(false);

/** Who is looking, below `requireMember`. */
export const memberContext = createContext<Member>();

/** For whose page whoever is looking acts, and what they may do there; below `requireMember`. */
export const actorContext = createContext<Actor>();

/**
 * True once the request's own act was refused for whose page it was: the page then comes back with
 * what was typed.
 */
export const actorConflictContext = createContext<boolean>(false);

/**
 * What this member typed into the form of this page before their session was found over; null for
 * everybody else.
 */
export const draftFormContext = createContext<Record<string, string> | null>(null);

/**
 * True once the request itself sent the form of its page, so that a page which leads elsewhere
 * comes back with what was typed instead.
 */
export const formSubmittedContext = createContext<boolean>(false);
