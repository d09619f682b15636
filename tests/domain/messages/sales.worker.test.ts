import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mediaFor } from "#app/domain/media/queries.server.ts";
import { sendMessage } from "#app/domain/messages/commands.server.ts";
import { prepareMessageFiles } from "#app/domain/messages/commands/files.server.ts";
import { deleteMessage } from "#app/domain/messages/commands/messages.server.ts";
import { changeConversation } from "#app/domain/messages/commands/members.server.ts";
import { CannotClearBought, CannotSellFile } from "#app/domain/messages/errors.ts";
import { boughtMessage } from "#app/domain/messages/queries/message.server.ts";
import type { Message } from "#app/domain/messages/schema.ts";
import { conversationMessageSchema } from "#app/domain/messages/schema.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { AlreadyBought, CannotBuyOwnContent, NotForSale } from "#app/domain/purchases/errors.ts";
import { startPurchase } from "#app/domain/purchases/single-purchases/commands/checkout.server.ts";
import { requestPurchaseCoolingOffRefund } from "#app/domain/purchases/single-purchases/commands/end.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pngImage } from "#tests/support/images.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import {
  expectBoughtOnce,
  paidPurchase,
  purchaseCheckoutInput,
  purchaseEndsOf,
} from "#tests/support/purchases.ts";

const PRICE_CENTS = 2_000;

let world: World;
let ana: Seller;
let bia: TestPerson;
let eva: TestPerson;
let id: string;
let photoBytes: ArrayBuffer;
const { open, read } = messageHelpers(() => world);
beforeAll(async () => {
  photoBytes = await pngImage(900, 600);
});
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  [bia, eva] = [await createPerson(world.ctx, "Bia"), await createPerson(world.ctx, "Eva")];
  id = await open(bia, ana);
});
afterEach(() => expectInvariantsToHold(world.ctx));

/** Sends a photo with a price into the conversation, and returns it as its sender sees it. */
async function sell(seller: TestPerson, priceCents: number | null = PRICE_CENTS): Promise<Message> {
  const place = { conversationId: id, personId: seller.id, clientMessageId: world.ctx.newId() };
  const files = await prepareMessageFiles(world.ctx, {
    ...place,
    uploaded: [],
    files: ["Capa do disco novo", "Verso"].map((alt) => ({
      file: new File([photoBytes], "segredo.png", { type: "image/png" }),
      alt,
    })),
    isSensitive: false,
    recording: null,
    priceCents,
  });
  await sendMessage(world.ctx, { ...place, writtenById: null, text: "A capa nova", files });
  return await last(seller);
}
async function last(person: TestPerson): Promise<Message> {
  const message = (await read(person, id)).at(-1);
  if (!message) throw new Error("no message");
  return message;
}
/** Whether the person can open the files of a message: all or none. */
async function canOpen(person: TestPerson | null, { files }: Message): Promise<boolean> {
  const viewerId = person?.id ?? null;
  const opened = await Promise.all(
    files.map(({ id: mediaId }) => mediaFor(world.ctx, { viewerId, mediaId, variant: "640" })),
  );
  expect(new Set(opened.map((one) => one !== null)).size).toBe(1);
  return opened[0] !== null;
}
const mediaIdOf = ({ files }: Message): string => files[0]?.id ?? "";
const buys = (buyer: TestPerson, message: Message) =>
  startPurchase(world.ctx, purchaseCheckoutInput(buyer, message.id, { kind: "message" }));

describe("a file with a price", () => {
  test("shows its recipient the words, the kind and the price, and nothing of the file until it is paid", async () => {
    const sold = await sell(ana);
    expect(sold).toMatchObject({
      files: [{ kind: "image" }, { kind: "image" }],
      sale: { priceCents: PRICE_CENTS, isBought: false, isOpen: true },
    });
    const locked = await last(bia);
    expect(locked).toMatchObject({
      text: "A capa nova",
      files: [],
      sale: {
        priceCents: PRICE_CENTS,
        fileKinds: ["image", "image"],
        isBought: false,
        isOpen: false,
      },
    });
    expect(JSON.stringify(locked)).not.toMatch(/segredo|Capa do disco/);
    expect(JSON.stringify(locked)).not.toContain(mediaIdOf(sold));
    expect(await canOpen(ana, sold)).toBe(true);
    for (const person of [bia, eva, null]) expect(await canOpen(person, sold)).toBe(false);
  });

  test("opens for its buyer alone, is booked once as any sale, and both sides hear of it once", async () => {
    const sold = await sell(ana);
    const { charge } = await paidPurchase(world, bia, sold.id, "message");
    expect(charge).toMatchObject({
      purchaseKind: "message",
      amountCents: PRICE_CENTS,
      feeCents: 100,
      netCents: 1_900,
      description: "Mensagem com 2 fotos, de Ana Lira",
    });
    await expectBoughtOnce(world, { chargeId: charge.id, buyer: bia, seller: ana });
    expect(await creatorBalances(world.ctx, { creatorId: ana.id })).toMatchObject({
      pendingCents: 1_900,
    });
    expect(await last(bia)).toMatchObject({
      files: [
        { kind: "image", alt: "Capa do disco novo" },
        { kind: "image", alt: "Verso" },
      ],
      sale: { isBought: true, isOpen: true },
    });
    expect(await last(ana)).toMatchObject({ sale: { isBought: true } });
    expect(await canOpen(bia, sold)).toBe(true);
    for (const person of [eva, null]) expect(await canOpen(person, sold)).toBe(false);
    await expect(buys(bia, sold)).rejects.toThrow(AlreadyBought);
  });

  test("is for sale to the other side only, while a block is not between the two", async () => {
    const sold = await sell(ana);
    await expect(buys(eva, sold)).rejects.toThrow(NotForSale);
    await expect(buys(ana, sold)).rejects.toThrow(CannotBuyOwnContent);
    await block(world.ctx, { personId: ana.id, otherId: bia.id });
    await expect(buys(bia, sold)).rejects.toThrow(NotForSale);
    await open(eva, ana);
    await expect(buys(eva, sold)).rejects.toThrow(NotForSale);
  });

  test("a message without a price, and one that was deleted, cannot be bought", async () => {
    const free = await sell(ana, null);
    expect(free).toMatchObject({ sale: null, files: [{ kind: "image" }, { kind: "image" }] });
    await expect(buys(bia, free)).rejects.toThrow(NotForSale);
    const sold = await sell(ana);
    await deleteMessage(world.ctx, { conversationId: id, seq: sold.seq, personId: ana.id });
    await expect(buys(bia, sold)).rejects.toThrow(NotForSale);
  });

  test("is refused for who cannot sell, and its form needs the file and a price that a post could have", async () => {
    await expect(sell(bia)).rejects.toThrow(CannotSellFile);
    expect(await last(bia)).toMatchObject({ text: "Oi" });
    const form = { text: "Oi", clientMessageId: "key-of-the-form" };
    const fields = (price: string) =>
      conversationMessageSchema.safeParse({ ...form, price }).error?.issues.map(({ path }) => path);
    expect(fields("20,00")).toEqual([["price"]]);
    expect(fields("4,99")).toEqual([["price"]]);
    expect(fields("")).toBeUndefined();
  });
});

test("a conversation is not cleared by somebody who holds, or is paying for, a file of it", async () => {
  const clear = () =>
    changeConversation(world.ctx, { conversationId: id, personId: bia.id, act: "clear" });
  const sold = await sell(ana);
  await buys(bia, sold);
  await expect(clear()).rejects.toThrow(CannotClearBought);
  await paidPurchase(world, bia, sold.id, "message");
  await expect(clear()).rejects.toThrow(CannotClearBought);
  expect(await canOpen(bia, sold)).toBe(true);
  await changeConversation(world.ctx, { conversationId: id, personId: ana.id, act: "clear" });
});

test("a block by the seller takes no bought file from its buyer", async () => {
  const [sold, unsold] = [await sell(ana), await sell(ana)];
  await paidPurchase(world, bia, sold.id, "message");
  await block(world.ctx, { personId: ana.id, otherId: bia.id });
  expect(await canOpen(bia, sold)).toBe(true);
  expect(await canOpen(bia, unsold)).toBe(false);
  const bought = (person: TestPerson, messageId: string) =>
    boughtMessage(world.ctx, { messageId, personId: person.id });
  expect(await bought(bia, sold.id)).toMatchObject({
    senderName: "Ana Lira",
    text: "A capa nova",
    files: [{ id: mediaIdOf(sold), isSensitive: false }, {}],
  });
  expect(await bought(bia, unsold.id)).toBeNull();
  for (const person of [ana, eva]) expect(await bought(person, sold.id)).toBeNull();
});

describe("a bought file closes again", () => {
  test("after a cooling-off refund", async () => {
    const sold = await sell(ana);
    const { purchase } = await paidPurchase(world, bia, sold.id, "message");
    await requestPurchaseCoolingOffRefund(world.ctx, {
      personId: bia.id,
      purchaseId: purchase.id,
    });
    await world.drain();
    expect(await purchaseEndsOf(world.ctx, bia)).toEqual(["regret"]);
    expect(await canOpen(bia, sold)).toBe(false);
    expect(await last(bia)).toMatchObject({ files: [], sale: { isOpen: false } });
    // It can be bought again.
    await paidPurchase(world, bia, sold.id, "message");
    expect(await canOpen(bia, sold)).toBe(true);
  });

  test("when the dispute of its payment is lost", async () => {
    const sold = await sell(ana);
    const { charge } = await paidPurchase(world, bia, sold.id, "message");
    const dispute = await world.console(`/sandbox/charges/${charge.providerChargeId}/dispute`);
    await world.drain();
    await world.console(`/sandbox/disputes/${String(dispute.body.id)}/lose`);
    await world.drain();
    expect(await purchaseEndsOf(world.ctx, bia)).toEqual(["dispute_lost"]);
    expect(await canOpen(bia, sold)).toBe(false);
  });

  test("when its sender deletes the message: the buyer gets the money back a day later, once", async () => {
    const sold = await sell(ana);
    const { charge } = await paidPurchase(world, bia, sold.id, "message");
    await deleteMessage(world.ctx, { conversationId: id, seq: sold.seq, personId: ana.id });
    expect(await canOpen(bia, sold)).toBe(false);
    await world.tick();
    expect(await purchaseEndsOf(world.ctx, bia)).toEqual([null]);
    await world.advance(DAY_MS);
    await world.tick();
    await world.tick();
    expect(await purchaseEndsOf(world.ctx, bia)).toEqual(["removed"]);
    expect(await chargeRow(world.ctx, { chargeId: charge.id })).toMatchObject({
      status: "refunded",
      refundedCents: PRICE_CENTS,
    });
  });
});
