import { eq, inArray } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { invariantFindings } from "#app/domain/audit/queries/invariants.server.ts";
import { ProviderUnauthorized, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { claimPayout } from "#app/domain/payouts/sending/commands/claim.server.ts";
import { changeSchedule } from "#app/domain/payouts/batches/commands/schedule.server.ts";
import {
  changeWithdrawalMethod,
  submitSellerDetails,
} from "#app/domain/payouts/destinations/commands.server.ts";
import {
  PixKeyNotFound,
  PixKeyOwnerMismatch,
  PixKeyNotYours,
  TooManyPixKeyChanges,
} from "#app/domain/payouts/errors.ts";
import { payoutHistory, payoutRow } from "#app/domain/payouts/queries.server.ts";
import { reviewedPayout } from "#app/domain/payouts/staff-review/queries/staff-review.server.ts";
import { stalePayouts } from "#app/domain/payouts/batches/queries/due.server.ts";
import {
  loadPayoutSnapshot,
  withdrawalMethodOfCreator,
} from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import {
  KEY_LOOKUP_VALID_MS,
  KEY_LOOKUPS_PER_MINUTE,
  KEY_LOOKUP_RETRY_MS,
} from "#app/domain/payouts/key-owners/rules/key-owners.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { payouts, pixKeyOwners, withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { withKeyDirectory } from "#tests/support/key-directory.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { runNotificationsCron } from "#workers/notifications/sweep.ts";
import { claimAndSendPayout } from "#workers/payouts/run.ts";

const OTHERS = { kind: "email", key: "de-outra@coreto.test" } as const;
const NOBODYS = { kind: "email", key: "nao-existe@coreto.test" } as const;
const FINE = { kind: "email", key: "boa@exemplo.test" } as const;

let world: World;
beforeEach(async () => {
  world = await testContext();
});
afterEach(() => void world.queued.splice(0));

const stands = async (ana: Seller) => loadPayoutSnapshot(world.ctx, { creatorId: ana.id });
const rowOf = async (ana: Seller) =>
  (await world.ctx.db.select().from(pixKeyOwners).where(eq(pixKeyOwners.creatorId, ana.id)))[0];

describe("a typed Pix key", () => {
  test("of another person, or of nobody, is refused with an error at its field, and nothing changes", async () => {
    const ana = await createSeller(world.ctx);
    const before = await withdrawalMethodOfCreator(world.ctx, { creatorId: ana.id });
    for (const [to, refusal] of [
      [OTHERS, PixKeyOwnerMismatch],
      [NOBODYS, PixKeyNotFound],
    ] as const) {
      await expect(
        changeWithdrawalMethod(world.ctx, { creatorId: ana.id, to }),
      ).rejects.toMatchObject({ field: "pixKey", constructor: refusal });
    }
    expect(await withdrawalMethodOfCreator(world.ctx, { creatorId: ana.id })).toEqual(before);
    expect((await rowOf(ana))?.pixKey).toBe(ana.email);
  });

  test("of another person is refused with the identity documents too, and nothing is submitted", async () => {
    const { id: personId } = await createPerson(world.ctx, "Nina Lima");
    const details = {
      personId,
      fullName: "Nina Lima",
      cpf: "52998224725",
      birthDate: "1990-01-31",
    };
    await expect(
      submitSellerDetails(world.ctx, { ...details, pixKey: OTHERS }),
    ).rejects.toMatchObject({ field: "pixKey", constructor: PixKeyOwnerMismatch });
    expect(await world.ctx.db.$count(documents, eq(documents.personId, personId))).toBe(0);
  });

  test("saves the owner's name with its date, after one lookup for each key", async () => {
    const ana = await createSeller(world.ctx);
    const before = world.ctx.now();
    const { ctx, asked } = withKeyDirectory(world, {
      name: "ANA MARIA LIRA",
      taxId: (await stands(ana)).owner?.taxId ?? "",
    });
    for (let twice = 0; twice < 2; twice += 1)
      await changeWithdrawalMethod(ctx, { creatorId: ana.id, to: FINE });
    expect(asked).toEqual([FINE.key]);
    expect(await rowOf(ana)).toMatchObject({ pixKey: FINE.key, ownerName: "ANA MARIA LIRA" });
    expect((await rowOf(ana))?.askedAt).toBeGreaterThanOrEqual(before);
    expect((await stands(ana)).keyAnswer?.name).toBe("ANA MARIA LIRA");
  });

  test("is accepted while the directory does not answer; the lookup waits for the claim", async () => {
    const ana = await createSeller(world.ctx);
    await changeWithdrawalMethod(withKeyDirectory(world, new ProviderUnclear("429")).ctx, {
      creatorId: ana.id,
      to: FINE,
    });
    expect([(await stands(ana)).method?.pixKey, (await stands(ana)).keyAnswer]).toEqual([
      FINE.key,
      null,
    ]);
  });

  test("cannot be tried often enough to look people up", async () => {
    const ana = await createSeller(world.ctx);
    const { ctx, asked } = withKeyDirectory(world, {
      name: "OTÁVIA PRADO",
      taxId: "***.444.777-**",
    });
    const tries = [];
    for (let each = 0; each < 12; each += 1)
      tries.push(
        await changeWithdrawalMethod(ctx, {
          creatorId: ana.id,
          to: { kind: "email", key: `a${each}@exemplo.test` },
        }).catch((error: unknown) => (error as Error).constructor),
      );
    expect([tries.at(0), tries.at(-1), asked.length]).toEqual([
      PixKeyOwnerMismatch,
      TooManyPixKeyChanges,
      9,
    ]);
  });

  test("is compared with approved documents, or with the submitted ones when none is approved", async () => {
    const ana = await createSeller(world.ctx, { approved: false });
    expect(await stands(ana)).toMatchObject({
      owner: null,
      ownerName: null,
      sent: { ownerName: "Ana Maria Lira" },
    });
    const { taxId } = (await stands(ana)).sent.owner ?? { taxId: "" };
    await expect(
      changeWithdrawalMethod(world.ctx, {
        creatorId: ana.id,
        to: { kind: "cpf", key: "52998224725" },
      }),
    ).rejects.toThrow(PixKeyNotYours);
    await changeWithdrawalMethod(world.ctx, { creatorId: ana.id, to: { kind: "cpf", key: taxId } });
    await expect(
      changeWithdrawalMethod(world.ctx, { creatorId: ana.id, to: OTHERS }),
    ).rejects.toThrow(PixKeyOwnerMismatch);
  });
});

describe("the key owner at the claim of a payout", () => {
  /** A requested payout whose key was never looked up. */
  async function asked(key: string = FINE.key): Promise<{ ana: Seller; payoutId: string }> {
    const ana = await createSeller(world.ctx);
    await changeSchedule(world.ctx, { creatorId: ana.id, schedule: "manual" });
    await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
    await world.advance(9 * DAY_MS);
    await world.tick();
    // Writes the key without a lookup, as before lookups existed.
    await world.ctx.db
      .update(withdrawalMethods)
      .set({ pixKey: key })
      .where(eq(withdrawalMethods.creatorId, ana.id));
    const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
    world.queued.splice(0);
    return { ana, payoutId };
  }
  const stateOf = async (payoutId: string) => {
    const row = await payoutRow(world.ctx, { payoutId });
    return [row?.status, row?.heldReason, row?.waitsFor].join(" ").trim();
  };

  test("is looked up once, and the payout of the owner's key is paid", async () => {
    const { ana, payoutId } = await asked();
    const { ctx, asked: lookups } = withKeyDirectory(world, {
      name: "ANA M LIRA",
      taxId: "***.***.***-**",
    });
    await claimAndSendPayout(ctx, { type: "payout.claim", id: payoutId });
    expect([await stateOf(payoutId), lookups]).toEqual(["sent", [FINE.key]]);
    await world.advance(10 * MINUTE_MS);
    await world.tick();
    expect(
      (await payoutHistory(world.ctx, { creatorId: ana.id, cursor: null, limit: 1 })).items[0]
        ?.status,
    ).toBe("paid");
  });

  test.each([OTHERS, NOBODYS])(
    "holds the payout for $key, shows staff what was compared, and a key of the creator releases it",
    async ({ key }) => {
      const { ana, payoutId } = await asked(key);
      await claimPayout(world.ctx, { payoutId });
      expect(await stateOf(payoutId)).toBe("held owner_differs");
      const seen = await reviewedPayout(world.ctx, { payoutId });
      expect(seen?.keyOwner).toMatchObject({
        directoryOwner: key === OTHERS.key ? { name: "OTÁVIA PRADO" } : null,
        documentOwner: { name: "Ana Maria Lira" },
      });
      await changeWithdrawalMethod(world.ctx, {
        creatorId: ana.id,
        to: { kind: "cpf", key: (await stands(ana)).owner?.taxId ?? "" },
      });
      await world.advance(DAY_MS + MINUTE_MS);
      await world.tick();
      await world.advance(10 * MINUTE_MS);
      await world.tick();
      expect(await stateOf(payoutId)).toBe("paid");
    },
  );

  test("is looked up again after a day, and the payout is paid when the key is now the creator's", async () => {
    const { payoutId } = await asked(OTHERS.key);
    await claimPayout(world.ctx, { payoutId });
    const { ctx, asked: lookups } = withKeyDirectory(world, { name: "Ana Maria Lira", taxId: "" });
    await world.advance(DAY_MS - HOUR_MS);
    await claimPayout(ctx, { payoutId });
    expect([await stateOf(payoutId), lookups]).toEqual(["held owner_differs", []]);
    await world.advance(HOUR_MS);
    await claimPayout(ctx, { payoutId });
    expect([await stateOf(payoutId), lookups.length]).toEqual(["claimed", 1]);
    await claimAndSendPayout(world.ctx, { type: "payout.send", id: payoutId });
  });

  test.each([
    ["has too many requests", new ProviderUnclear("429", { retryAfterMs: HOUR_MS }), HOUR_MS],
    ["is down", new ProviderUnclear("no answer"), KEY_LOOKUP_RETRY_MS],
  ])(
    "makes the payout wait with its reason while the directory %s, then it is paid",
    async (_, fault, waits) => {
      const { payoutId } = await asked();
      const before = world.ctx.now();
      await claimPayout(withKeyDirectory(world, fault).ctx, { payoutId });
      expect(await stateOf(payoutId)).toBe("requested  key_owner");
      expect((await payoutRow(world.ctx, { payoutId }))?.waitsUntil).toBeGreaterThanOrEqual(
        before + waits,
      );
      await world.advance(DAY_MS + MINUTE_MS);
      expect(
        (await invariantFindings(world.ctx))
          .find(({ name }) => name === "keys_told")
          ?.rows.map(({ id }) => id),
      ).toEqual([payoutId]);
      await world.advance(waits + MINUTE_MS);
      await world.tick();
      await world.advance(10 * MINUTE_MS);
      await world.tick();
      expect(await stateOf(payoutId)).toBe("paid");
    },
  );

  test("waits for staff when the provider rejects our API key", async () => {
    const { payoutId } = await asked();
    const balance = async () => Promise.reject(new ProviderUnauthorized("401"));
    await claimPayout({ ...world.ctx, payments: { ...world.ctx.payments, balance } } as Context, {
      payoutId,
    });
    expect(await stateOf(payoutId)).toBe("requested  provider");
    await world.advance(HOUR_MS + MINUTE_MS);
    await world.tick();
    expect((await payoutRow(world.ctx, { payoutId }))?.status).toBe("sent");
  });

  test("is looked up for as many payouts a minute as the directory allows, longest waiting first", async () => {
    const ids = Array.from({ length: KEY_LOOKUPS_PER_MINUTE + 2 }, (_, at) => `waits-${at}`);
    const now = world.ctx.now();
    await world.ctx.db.insert(payouts).values(
      ids.map((id, at) => ({
        id,
        creatorId: id,
        amountCents: 0,
        status: "requested" as const,
        pixKeyKind: "email" as const,
        pixKey: `${id}@exemplo.test`,
        provider: "sandbox",
        requestedAt: at,
        waitsFor: "key_owner" as const,
        waitsUntil: now - at,
      })),
    );
    expect(
      await stalePayouts(world.ctx, { statuses: ["requested"], before: now, limit: 99 }),
    ).toEqual([]);
    await runNotificationsCron(world.ctx);
    expect(world.queued.flatMap(({ type, id }) => (type === "payout.claim" ? [id] : []))).toEqual(
      ids.toReversed().slice(0, KEY_LOOKUPS_PER_MINUTE),
    );
    await world.ctx.db.delete(payouts).where(inArray(payouts.id, ids));
  });

  test("voids an earlier approval when the key proves to be another person's", async () => {
    const { payoutId } = await asked(OTHERS.key);
    await world.ctx.db
      .update(payouts)
      .set({ approvedBy: "maria", approvedCents: 99_999 })
      .where(eq(payouts.id, payoutId));
    await claimPayout(world.ctx, { payoutId });
    expect(await payoutRow(world.ctx, { payoutId })).toMatchObject({
      status: "held",
      heldReason: "owner_differs",
      approvedBy: null,
      approvedCents: null,
    });
  });

  test("can be the wait reason only before the claim; the database refuses it later", async () => {
    const { payoutId } = await asked();
    await claimAndSendPayout(world.ctx, { type: "payout.claim", id: payoutId });
    await expect(
      testEnv.DB.prepare("UPDATE payouts SET waits_for = 'key_owner', waits_until = 1 WHERE id = ?")
        .bind(payoutId)
        .run(),
    ).rejects.toThrow("unknown_state");
  });

  test("holds nothing when the provider offers no key lookup", async () => {
    const { payoutId } = await asked();
    const can = new Set([...world.ctx.payments.can].filter((one) => one !== "pix_key_owner"));
    await claimAndSendPayout(
      { ...world.ctx, payments: { ...world.ctx.payments, can } },
      { type: "payout.claim", id: payoutId },
    );
    expect(await stateOf(payoutId)).toBe("sent");
  });

  test("is looked up again after ninety days; the old answer is valid until a new one comes", async () => {
    const { ana, payoutId } = await asked(ANA_KEY);
    const { ctx, asked: lookups } = withKeyDirectory(world, new ProviderUnclear("no answer"));
    const { owner } = await stands(ana);
    await world.ctx.db
      .update(pixKeyOwners)
      .set({
        pixKey: ANA_KEY,
        ownerName: "ANA LIRA",
        ownerTaxId: owner?.taxId ?? "",
        askedAt: world.ctx.now() - KEY_LOOKUP_VALID_MS,
      })
      .where(eq(pixKeyOwners.creatorId, ana.id));
    await claimAndSendPayout(ctx, { type: "payout.claim", id: payoutId });
    expect([await stateOf(payoutId), lookups]).toEqual(["sent", [ANA_KEY]]);
  });
});

const ANA_KEY = "ana@exemplo.test";
