import type { Member } from "#app/domain/identity/schema.ts";
import { isPermitted, teamPositionOf } from "#app/domain/teams/rules.ts";
import type { Permission, TeamPosition } from "#app/domain/teams/rules.ts";
import type { Seat } from "#app/domain/teams/schema.ts";

/** The page that somebody acts for. */
type Space = { personId: string; username: string; name: string; isCreator: boolean };

/** Who acts, for which space, and what their place there lets them do. */
export type Actor = {
  member: Member;
  space: Space;
  standing: TeamPosition;
  /** Their own page: nobody's permission is asked. */
  isOwn: boolean;
  may(permission: Permission): boolean;
};

/** Everybody on their own page. */
export function ownActor(member: Member): Actor {
  const { id, username, name, isCreator } = member;
  return {
    member,
    space: { personId: id, username, name, isCreator },
    standing: "owner",
    isOwn: true,
    may: () => true,
  };
}

/** Somebody of a team on the page that it runs; the owner there is simply on their own. */
export function teamActor(member: Member, seat: Seat): Actor {
  if (seat.isOwner) return ownActor(member);
  const { personId, username, name, isCreator } = seat.owner;
  const standing = teamPositionOf(seat);
  return {
    member,
    space: { personId, username, name, isCreator },
    standing,
    isOwn: false,
    may: (permission) => isPermitted(standing, permission),
  };
}

/** What is kept of an act: who did it for another's page. */
export function actingPersonId(actor: Actor): string | null {
  return actor.isOwn ? null : actor.member.id;
}

/** "sua página" or "página de Ana Lira". */
export function actorPageLabel(actor: Pick<Actor, "isOwn" | "space">): string {
  return actor.isOwn ? "sua página" : `página de ${actor.space.name}`;
}
