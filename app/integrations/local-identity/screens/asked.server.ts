import type { Context } from "#app/domain/context.ts";
import { localAccounts } from "#app/integrations/local-identity/account/account.server.ts";
import type { LocalAccounts } from "#app/integrations/local-identity/account/account.server.ts";
import type { LocalIdentityOptions } from "#app/integrations/local-identity/auth.server.ts";
import type { ExternalProvider } from "#app/configuration/external-providers.ts";

/** The configuration of the embedded identity. */
type LocalConfiguration = LocalIdentityOptions & { providers: readonly ExternalProvider[] };

/** A request to one of the embedded identity's screens. */
export type LocalAsked = { local: LocalConfiguration; ctx: Context; request: Request };

/** The same, with a way to defer work until after the response. */
export type LocalAskedLater = LocalAsked & { waitUntil(work: Promise<unknown>): void };

export const accountsOf = ({ local, ctx }: Pick<LocalAsked, "local" | "ctx">): LocalAccounts =>
  localAccounts(local, ctx.realNow());
