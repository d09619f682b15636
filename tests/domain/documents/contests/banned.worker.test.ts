import { generateCnpj } from "@brazilian-utils/brazilian-utils/generate-cnpj";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { rejectDocuments } from "#app/domain/documents/commands.server.ts";
import { advanceDocuments } from "#app/domain/documents/expiry/commands.server.ts";
import { TaxIdInUse } from "#app/domain/documents/errors.ts";
import { canSell } from "#app/domain/documents/rules.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { contestedTaxId } from "#tests/support/contests.ts";
import { insertDocumentFiles, createPerson, approveOpened } from "#tests/support/people.ts";

test("an account with a banned account's CPF can only contest it, and a moderator decides, never the scheduler", async () => {
  const { ctx, advance, hostile, owner, send, of, statuses, dueOf, decides, ban } =
    await contestedTaxId();
  await rejectDocuments(ctx, { ...decides(hostile), code: "number_differs" });
  await ban(hostile);
  await expect(
    send(owner),
    "a banned person cannot return with another account",
  ).rejects.toMatchObject({
    constructor: TaxIdInUse,
    field: "contests",
  });
  await send(owner, true);
  await insertDocumentFiles(ctx, owner.id);
  await advance(30 * DAY_MS);
  expect([await statuses(), await dueOf([owner]), canSell(await of(owner), ctx.now())]).toEqual([
    ["contested", "rejected"],
    [],
    false,
  ]);
  await advanceDocuments(ctx, { personId: owner.id });
  expect((await of(owner))?.status).toBe("contested");
  await approveOpened(ctx, decides(owner));
  expect(await statuses()).toEqual(["approved", "rejected"]);
});

test("a CPF that a banned account typed without files is not released automatically: a moderator decides", async () => {
  const { ctx, advance, owner, send, anotherNumber, of, dueOf, ban } = await contestedTaxId();
  const stranger = await createPerson(ctx, "Só palavras");
  anotherNumber();
  await send(stranger);
  await ban(stranger);
  await advance(14 * DAY_MS);
  await send(owner, true);
  await insertDocumentFiles(ctx, owner.id);
  expect([(await of(owner))?.status, (await of(stranger))?.status, await dueOf([owner])]).toEqual([
    "contested",
    "submitted",
    [],
  ]);
});

test("a CPF that a moderator took from the banned account can be sent as usual; a ruling on a company does not cover the CPF", async () => {
  const { ctx, hostile, owner, send, of, dueOf, decides, ban } = await contestedTaxId();
  await send(owner, true);
  await insertDocumentFiles(ctx, owner.id);
  await rejectDocuments(ctx, { ...decides(hostile), code: "number_of_another" });
  await ban(hostile);
  expect(await dueOf([owner])).toEqual([owner.id]);
  await rejectDocuments(ctx, { ...decides(owner), code: "unreadable" });
  await send(owner);
  expect((await of(owner))?.status).toBe("submitted");

  await ctx.db
    .update(documents)
    .set({ cnpj: generateCnpj(), companyName: "Hostil ME" })
    .where(eq(documents.personId, hostile.id));
  await rejectDocuments(ctx, { ...decides(owner), code: "unreadable" });
  await expect(send(owner)).rejects.toMatchObject({ constructor: TaxIdInUse, field: "contests" });
});
