import { generateCpf } from "@brazilian-utils/brazilian-utils/generate-cpf";
import { and, eq, like } from "drizzle-orm";
import { dueDocuments, documentsOfPerson } from "#app/domain/documents/queries.server.ts";
import { contestVersion } from "#app/domain/documents/contests/rules.ts";
import { banPerson } from "#app/domain/moderation/commands/bans.server.ts";
import { submitSellerDetails } from "#app/domain/payouts/destinations/commands.server.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { testContext } from "./context.ts";
import { createModerator, insertDocumentFiles, createPerson } from "./people.ts";
import type { TestPerson } from "./people.ts";

/**
 * Creates a contest of a tax id: `hostile` submitted it with documents, `owner` may contest it, and
 * the moderator `carla` decides.
 */
export async function contestedTaxId() {
  const { ctx, advance } = await testContext();
  let cpf = generateCpf();
  const [hostile, owner, carla] = [
    await createPerson(ctx, "Hostil"),
    await createPerson(ctx, "Ana"),
    await createModerator(ctx),
  ];
  const sent = () => ({ fullName: "Ana Maria Lira", cpf, birthDate: "1990-01-31" });
  const send = async ({ id, email }: TestPerson, contests = false) =>
    await submitSellerDetails(ctx, {
      personId: id,
      ...sent(),
      contests,
      pixKey: { kind: "email", key: email },
    });
  const of = async ({ id }: TestPerson) => await documentsOfPerson(ctx, { personId: id });
  const notificationsAbout = async (
    { id }: TestPerson,
    type: "documents.decided" | "documents.contest_comes" | "documents.contest_over",
  ) =>
    (
      await ctx.db
        .select()
        .from(outbox)
        .where(and(eq(outbox.type, type), like(outbox.id, `documents:${id}:%`)))
    ).map(({ payload }) => payload);
  await send(hostile);
  await insertDocumentFiles(ctx, hostile.id);
  return {
    ctx,
    advance,
    hostile,
    owner,
    carla,
    sent,
    /** Submits a person's seller details with the tax id. */
    send,
    /** Later submissions use another tax id. */
    anotherNumber: () => void (cpf = generateCpf()),
    of,
    statuses: async () => [(await of(owner))?.status, (await of(hostile))?.status],
    dueOf: async (them: TestPerson[]) =>
      (await dueDocuments(ctx, { now: ctx.now(), limit: 100 })).filter((id) =>
        them.some((one) => one.id === id),
      ),
    decides: ({ id }: TestPerson) => ({ moderatorId: carla.id, personId: id }),
    /** The version of the holder's documents that a moderator saw. */
    mark: async () => {
      const held = await of(hostile);
      return held ? contestVersion(held) : "";
    },
    notificationsAbout,
    /** The decisions of which a person was notified. */
    notifications: async (who: TestPerson) =>
      (await notificationsAbout(who, "documents.decided")).map((payload) => [
        payload["decision"],
        payload["reason"],
      ]),
    ban: async ({ id }: TestPerson) =>
      await banPerson(ctx, { moderatorId: carla.id, personId: id, reason: "Golpe" }),
  };
}
