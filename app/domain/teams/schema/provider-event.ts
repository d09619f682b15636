import type { TeamRole } from "#app/domain/teams/schema.ts";

/**
 * What a hosted identity provider tells about an organisation of its own. `version` is the
 * provider's time of the change, epoch milliseconds.
 */
export type TeamEvent =
  | {
      kind: "changed";
      organizationId: string;
      version: number;
      name: string;
      slug: string | null;
      ownerUserId: string;
    }
  | { kind: "deleted"; organizationId: string; version: number };

/** What it tells about one membership; `mayManageBilling` as its own billing permission says. */
export type MembershipEvent =
  | {
      kind: "changed";
      organizationId: string;
      userId: string;
      version: number;
      role: TeamRole;
      mayManageBilling: boolean;
    }
  | { kind: "removed"; organizationId: string; userId: string; version: number };

/**
 * `old`: something newer is known. `unknown`: the team or the person was not told of yet: worth
 * telling again. `refused`: a quota, a second team for one page, or the owner's own place, which we
 * keep.
 */
export type TeamEventOutcome = "applied" | "old" | "unknown" | "refused";
