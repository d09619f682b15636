import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import {
  eraseEvidence,
  evidenceKey,
  saveEvidence,
  removeEvidenceFile,
} from "#app/domain/disputes/commands/evidence.server.ts";
import { EvidenceFileRefused } from "#app/domain/disputes/errors.ts";
import { answerRow } from "#app/domain/disputes/queries.server.ts";
import { disputeDetail } from "#app/domain/disputes/queries/dispute-detail.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { changeSchedule } from "#app/domain/payouts/batches/commands/schedule.server.ts";
import { disputeFiles } from "#drizzle/schema/disputes.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { decideDisputeAtProvider, openDisputeOn } from "#tests/support/disputes.ts";
import { pngImage } from "#tests/support/images.ts";
import { pdf } from "#tests/support/media-files.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
let charge: Charge;
let disputeId: string;
let providerDisputeId: string;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  // Manual payouts. A weekly payout would wait for balance while the clock moves.
  await changeSchedule(world.ctx, { creatorId: ana.id, schedule: "manual" });
  bruno = await createPerson(world.ctx, "Bruno");
  charge = await paidSubscription(world, bruno, ana);
  ({ disputeId, providerDisputeId } = await openDisputeOn(world, charge));
});
afterEach(() => expectInvariantsToHold(world.ctx));

const memberIds = () => ({ disputeId, creatorId: ana.id, memberId: ana.id });
const keep = (
  text: string,
  file: Parameters<typeof saveEvidence>[1]["file"] = null,
  ctx: Context = world.ctx,
) => saveEvidence(ctx, { ...memberIds(), text, file });
const answer = () => answerRow(world.ctx, { disputeId });
const files = () =>
  world.ctx.db.select().from(disputeFiles).where(eq(disputeFiles.disputeId, disputeId));
/** The header of a JPG of 16 by 16. */
const jpeg = new Uint8Array([
  0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 16, 0, 16, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1, 0xff, 0xd9,
]);
const receipt = () => ({ kind: "receipt" as const, name: "recibo.pdf", bytes: pdf() });

describe("evidence files", () => {
  test("are a PDF, JPG or PNG by their bytes, of at most 5 MB", async () => {
    await keep("", receipt());
    await keep("", {
      kind: "conversation",
      name: "conversa.png",
      bytes: new Uint8Array(await pngImage(8, 8)),
    });
    await keep("", { kind: "access", name: "acesso.jpg", bytes: jpeg });
    expect((await files()).map(({ contentType }) => contentType).toSorted()).toEqual([
      "application/pdf",
      "image/jpeg",
      "image/png",
    ]);
    const page = new TextEncoder().encode("<html><script>alert(1)</script></html>");
    await expect(keep("", { kind: "other", name: "recibo.pdf", bytes: page })).rejects.toEqual(
      new EvidenceFileRefused("unknown_type"),
    );
    await expect(
      keep("", { kind: "other", name: "x.pdf", bytes: new Uint8Array([...pdf(), ...page]) }),
    ).rejects.toBeInstanceOf(EvidenceFileRefused);
    const heavy = new Uint8Array(5 * 1_048_576 + 1);
    heavy.set(pdf());
    await expect(keep("", { kind: "other", name: "grande.pdf", bytes: heavy })).rejects.toEqual(
      new EvidenceFileRefused("too_heavy"),
    );
  });

  test("replace an earlier file of the same kind and delete its bytes", async () => {
    await keep("", receipt());
    const [first] = await files();
    await keep("", { ...receipt(), name: "novo.pdf" });
    const [second, ...more] = await files();
    expect([more, second?.name, second?.state]).toEqual([[], "novo.pdf", "kept"]);
    expect(
      await world.ctx.mediaStore.sizeOf(evidenceKey(first ?? { id: "", disputeId: "" })),
    ).toBeNull();
    await removeEvidenceFile(world.ctx, { ...memberIds(), fileId: second?.id ?? "" });
    expect(await files()).toEqual([]);
    expect(
      await world.ctx.mediaStore.sizeOf(evidenceKey(second ?? { id: "", disputeId: "" })),
    ).toBeNull();
  });

  test("without bytes are in no answer, and all are erased with the seller's account", async () => {
    const broken = {
      ...world.ctx,
      mediaStore: {
        ...world.ctx.mediaStore,
        put: () => Promise.reject(new Error("the process died")),
      },
    };
    await expect(keep("A pessoa assinou.", receipt(), broken)).rejects.toThrow("died");
    expect((await disputeDetail(world.ctx, { disputeId }))?.files).toEqual([]);
    await keep("A pessoa assinou.", receipt());
    expect(await eraseEvidence(world.ctx, { creatorId: ana.id, limit: 10 })).toBe(0);
    await decideDisputeAtProvider(world, providerDisputeId, "lose");
    expect(await eraseEvidence(world.ctx, { creatorId: ana.id, limit: 10 })).toBe(2);
    expect([await files(), (await answer())?.text]).toEqual([[], ""]);
  });
});
