import { createContext } from "react-router";
import type { Context } from "#app/domain/context.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import type { ApiScope } from "#app/domain/identity/api-keys/schema.ts";
import type { Actor } from "#app/domain/teams/rules/actor.ts";
import type { Env } from "#app/configuration/env.ts";

/** The worker's bindings and context; set by workers/app.ts. */
export const cloudflareContext = createContext<{ env: Env; ctx: ExecutionContext }>();

/** The domain's `ctx`; set by the root middleware for every request. */
export const domainContext = createContext<Context>();

/** The viewer, or null; set by the root middleware. Always null on public pages. */
export const viewerContext = createContext<Member | null>();

/**
 * A signed-in person who has not completed their profile, and so is not a member yet; null
 * otherwise.
 */
export const incompleteMemberContext = createContext<Member | null>(null);

/** The scopes of the request's API key; null without a key, when everything is allowed. */
export const keyScopesContext = createContext<readonly ApiScope[] | null>(null);

/** Why a person signed in at the identity provider is refused, as text for them; null otherwise. */
export const blockedSignInContext = createContext<string | null>(null);

/**
 * Why the viewer is unknown while the identity provider does not answer; null if it does, or was
 * not asked.
 */
export const identityUnavailableContext = createContext<string | null>(null);

/** True if a read request wrote something, so that the next request sees it. */
export const didWriteContext = createContext<boolean>(false);

/** The viewer, below `requireMember`. */
export const memberContext = createContext<Member>();

/** For whose page the viewer acts, and their permissions there; below `requireMember`. */
export const actorContext = createContext<Actor>();

/**
 * True if the request's action was refused because of its page; the form is then shown again as
 * typed.
 */
export const actorConflictContext = createContext<boolean>(false);

/** What this member typed into this page's form before their session expired; null otherwise. */
export const draftFormContext = createContext<Record<string, string> | null>(null);

/**
 * True if the request submitted its page's form. A page that would redirect then shows the form as
 * typed.
 */
export const formSubmittedContext = createContext<boolean>(false);
