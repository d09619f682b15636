import { acceptInvitation, inviteToTeam } from "#app/domain/teams/commands/invitations.server.ts";
import { createTeam } from "#app/domain/teams/commands/team.server.ts";
import { invitationsFor } from "#app/domain/teams/queries.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { personOf } from "./town.ts";
import type { SeededWorld } from "./town.ts";

/** Who helps Ana, and as what; one has not answered yet. */
const HELPERS = [
  { username: "lucia.amaral", role: "basic_member" },
  { username: "caio.brito", role: "guest_member" },
] as const;
const WAITING = "producao@coreto.test";

/** A week ago Ana made a team of her page. */
export function planTeam(world: SeededWorld): void {
  const { ctx } = world.rehearsal;
  world.calendar.at(world.endAt - 7 * DAY_MS, async () => {
    const ana = personOf(world, "ana");
    const { teamId } = await createTeam(ctx, {
      ownerId: ana.id,
      name: "Casa da Ana",
      slug: "casa-da-ana",
      logoMediaId: null,
    });
    const by = { teamId, personId: ana.id, inviterName: ana.name };
    for (const { username, role } of HELPERS)
      await inviteToTeam(ctx, { ...by, emails: [personOf(world, username).email], role });
    await inviteToTeam(ctx, { ...by, emails: [WAITING], role: "admin" });
  });
  world.calendar.at(world.endAt - 7 * DAY_MS + 3 * HOUR_MS, async () => {
    for (const { username } of HELPERS) {
      const { id, name, email } = personOf(world, username);
      for (const { id: invitationId } of await invitationsFor(ctx, { verifiedEmails: [email] }))
        await acceptInvitation(ctx, {
          invitationId,
          personId: id,
          personName: name,
          verifiedEmails: [email],
        });
    }
  });
}
