import type { TeamRole } from "#app/domain/teams/rules/roles.ts";

/**
 * A hosted identity provider's event of an organisation. `version` is the provider's time of the
 * change, epoch milliseconds.
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

/**
 * A hosted provider's event of a membership. `mayManageBilling` comes from its own billing
 * permission.
 */
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
 * `old`: a newer state is known. `unknown`: no event of the team or the person came yet, so the
 * event is worth repeating. `refused`: a quota, a second team for one page, or the owner's own
 * seat, which we manage.
 */
export type TeamEventOutcome = "applied" | "old" | "unknown" | "refused";
