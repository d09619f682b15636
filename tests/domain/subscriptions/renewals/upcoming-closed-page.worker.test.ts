import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { advanceDeletion } from "#app/domain/deletion/commands/advance.server.ts";
import { cancelDeletion, requestDeletion } from "#app/domain/deletion/commands/request.server.ts";
import { deletionPreview } from "#app/domain/deletion/queries/preview.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { unblock } from "#app/domain/profiles/commands.server.ts";
import { DAY_MS, formatDay, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { chargeReleases, charges } from "#drizzle/schema/payments.ts";
import { blocks } from "#drizzle/schema/profiles.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { decideDisputeAtProvider, openDisputeOn, deliverOutbox } from "#tests/support/disputes.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { upcomingHelpers } from "#tests/support/upcoming.ts";

let world: World;
let ana: Seller;
let clara: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  clara = await createPerson(world.ctx, "Clara Nunes");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const { row, given, comped, followed, goTo, acts, email, notices, counted, seats } =
  upcomingHelpers(() => ({ world, seller: ana, fan: clara }));

/** Returns the release part of the charge: refunded, or waiting for the start of its period. */
const heldOf = async (chargeId: string) =>
  (
    await world.ctx.db.select().from(chargeReleases).where(eq(chargeReleases.chargeId, chargeId))
  )[0];

describe("an upcoming subscription on a page that closes", () => {
  const weekly = async () => {
    ana = await createSeller(world.ctx, { interval: "weekly" });
    const { endsAt } = await comped();
    await world.advance(25 * DAY_MS);
    return { endsAt, ...(await followed(endsAt)) };
  };

  test.each(["creator", "fan"] as const)(
    "stays upcoming while the %s's deletion is pending: refundable any day, previewed, and refunded whole at the end",
    async (who) => {
      const { endsAt, chargeId, id } = await weekly();
      const { id: personId } = who === "creator" ? ana : clara;
      const { deletionId, dueAt } = await requestDeletion(world.ctx, { personId });
      const figures = async () => await deletionPreview(world.ctx, { personId, dueAt });
      expect(await figures()).toMatchObject({
        [who === "creator" ? "refundToSubscribersCents" : "refundToThemCents"]: 1_990,
      });
      await goTo(endsAt + 10 * DAY_MS);
      expect(await row(id)).toMatchObject({ status: "upcoming", accessUntil: null });
      expect((await heldOf(chargeId))?.releasedAt).toBeNull();
      expect(await acts(id)).toContain("cancel");
      await world.advance(dueAt - world.ctx.now() + HOUR_MS);
      await advanceDeletion(world.ctx, { deletionId });
      await world.drain();
      expect((await row(id)).status).toBe("expired");
      expect(await chargeRow(world.ctx, { chargeId })).toMatchObject({
        status: "refunded",
        refundedCents: 1_990,
      });
    },
  );

  test("starts with all of its days when the page reopens, and is charged once", async () => {
    const { endsAt, id } = await weekly();
    await requestDeletion(world.ctx, { personId: ana.id });
    await goTo(endsAt + 12 * DAY_MS);
    await cancelDeletion(world.ctx, { personId: ana.id });
    await goTo(world.ctx.now() + DAY_MS);
    const started = await row(id);
    expect(started.status).toBe("active");
    expect((started.accessUntil ?? 0) - (started.startedAt ?? 0)).toBe(7 * DAY_MS);
    expect(started.startedAt).toBeGreaterThanOrEqual(endsAt + 12 * DAY_MS);
    expect(await world.ctx.db.$count(charges, eq(charges.purchaseId, id))).toBe(1);
  });
});

describe("an upcoming subscription with a block made at the moment of its payment", () => {
  const blockBy = async (who: "creator" | "fan") => {
    const [blockerId, blockedId] = who === "creator" ? [ana.id, clara.id] : [clara.id, ana.id];
    await world.ctx.db.insert(blocks).values({ blockerId, blockedId, createdAt: world.ctx.now() });
  };
  test.each(["creator", "fan"] as const)(
    "by the %s, never starts: it is refunded at once, and both are notified without mention of the block",
    async (who) => {
      const gift = await given();
      const { id, chargeId } = await followed(gift.endsAt);
      await blockBy(who);
      await world.tick();
      await deliverOutbox(world.ctx);
      expect(await row(id)).toMatchObject({ status: "expired", holdsSeat: false });
      expect(await chargeRow(world.ctx, { chargeId })).toMatchObject({
        status: "refunded",
        refundedCents: 1_990,
      });
      expect(await row(gift.id)).toMatchObject({ status: "canceled", accessUntil: gift.endsAt });
      expect([await counted(), await seats()]).toEqual([1, 1]);
      const [fan, creator] = [await notices(clara.id), await notices(ana.id)];
      expect(
        fan.some((body) =>
          /^Sua assinatura .* não vai começar\. Devolvemos R\$\s19,90: tudo o que você pagou por ela\.$/.test(
            body,
          ),
        ),
      ).toBe(true);
      expect(
        creator.some(
          (body) =>
            body.startsWith("A assinatura de Clara Nunes, ") &&
            body.endsWith(
              `que ia começar em ${formatDay(gift.endsAt)}, não vai começar: o valor voltou para quem pagou.`,
            ),
        ),
      ).toBe(true);
      expect(await email(/^Devolvemos R\$\s19,90$/)).toContain(
        "A sua assinatura não vai começar: devolvemos tudo",
      );
      expect([...fan, ...creator].filter((body) => /bloque/i.test(body))).toEqual([]);
      // A refunded subscription can be paid again.
      await unblock(
        world.ctx,
        who === "creator"
          ? { personId: ana.id, otherId: clara.id }
          : { personId: clara.id, otherId: ana.id },
      );
      expect((await row((await followed(gift.endsAt)).id)).status).toBe("upcoming");
    },
  );

  test("under dispute, waits for the bank, and is refunded when the seller wins", async () => {
    const gift = await given();
    const { id, chargeId } = await followed(gift.endsAt);
    const charge = await chargeRow(world.ctx, { chargeId });
    if (!charge) throw new Error("nothing was paid");
    const { providerDisputeId } = await openDisputeOn(world, charge);
    await blockBy("fan");
    await goTo(gift.endsAt + MINUTE_MS);
    expect((await row(id)).status).toBe("upcoming");
    await decideDisputeAtProvider(world, providerDisputeId, "win");
    await goTo(world.ctx.now() + DAY_MS + HOUR_MS);
    expect((await row(id)).status).toBe("expired");
    expect(await chargeRow(world.ctx, { chargeId })).toMatchObject({ refundedCents: 1_990 });
  });
});
