import type { Member } from "#app/domain/identity/schema.ts";
import { isPermitted, teamPositionOf } from "#app/domain/teams/rules.ts";
import type { Permission, TeamPosition } from "#app/domain/teams/rules.ts";
import type { Seat } from "#app/domain/teams/schema.ts";

/** The page that an actor acts for. */
type Space = { personId: string; username: string; name: string; isCreator: boolean };

/** The actor, their space, and what their position there permits. */
export type Actor = {
  member: Member;
  space: Space;
  position: TeamPosition;
  /** Their own page: no permission is needed. */
  isOwn: boolean;
  may(permission: Permission): boolean;
};

/** Returns the actor of a person's own page. */
export function ownActor(member: Member): Actor {
  const { id, username, name, isCreator } = member;
  return {
    member,
    space: { personId: id, username, name, isCreator },
    position: "owner",
    isOwn: true,
    may: () => true,
  };
}

/** Returns the actor of a team member for the team's page. The owner there acts on their own page. */
export function teamActor(member: Member, seat: Seat): Actor {
  if (seat.isOwner) return ownActor(member);
  const { personId, username, name, isCreator } = seat.owner;
  const position = teamPositionOf(seat);
  return {
    member,
    space: { personId, username, name, isCreator },
    position,
    isOwn: false,
    may: (permission) => isPermitted(position, permission),
  };
}

/** Returns the person to record for an action on another person's page; null on one's own. */
export function actingPersonId(actor: Actor): string | null {
  return actor.isOwn ? null : actor.member.id;
}

/** "sua página" or "página de Ana Lira". */
export function actorPageLabel(actor: Pick<Actor, "isOwn" | "space">): string {
  return actor.isOwn ? "sua página" : `página de ${actor.space.name}`;
}
