import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { requestDeletion } from "#app/domain/deletion/commands/request.server.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { checkoutCharge } from "#app/domain/payments/charges/queries/checkout.server.ts";
import { tipSchema } from "#app/domain/purchases/tips/schema.ts";
import { againAt } from "#app/routes/checkout/retry.server.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import * as tipPage from "#app/routes/space/tip.tsx";
import { charges } from "#drizzle/schema/payments.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

const routes = callRoutesAs([{ path: "space/:id/tip", module: tipPage }]);

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

type Fields = Record<string, string>;
async function sent(
  fields: Fields,
  { by = bruno, to = ana.username }: { by?: TestPerson; to?: string } = {},
) {
  const form = new FormData();
  for (const [name, value] of Object.entries({
    amount: "2000",
    other: "",
    message: "",
    method: "pix",
    cardToken: "",
    ...fields,
  }))
    form.set(name, value);
  return await routes.postForm({ person: by, isCreator: false }, `/space/${to}/tip`, form);
}
const chargesOf = (payerId: string) =>
  world.ctx.db.select().from(charges).where(eq(charges.payerId, payerId));

describe("tip form", () => {
  test("redirects to its Pix code for exactly the chosen amount", async () => {
    const answer = await sent({ amount: "other", other: "R$ 1.234,56" });
    const [charge] = await chargesOf(bruno.id);
    expect(charge).toMatchObject({ amountCents: 123_456, purchaseKind: "tip" });
    expect({ status: answer.status, to: answer.headers.get("Location") }).toEqual({
      status: 303,
      to: `/checkout/${charge?.id ?? ""}`,
    });
  });

  test("offers a tip whose code expired again with the same amount and message, unless the creator blocks", async () => {
    await sent({ amount: "other", other: "37,50", message: "Pelo café" });
    const [begun] = await chargesOf(bruno.id);
    const charge = await checkoutCharge(world.ctx, {
      memberId: bruno.id,
      chargeId: begun?.id ?? "",
    });
    if (!charge) throw new Error("nothing was begun");
    const again = await againAt(world.ctx, { memberId: bruno.id, charge });
    expect(again?.path).toBe(`/space/${ana.username}/tip`);
    expect(tipSchema.safeParse(again?.fields).data).toMatchObject({
      amountCents: 3_750,
      message: "Pelo café",
      method: "pix",
    });
    await block(world.ctx, { personId: ana.id, otherId: bruno.id });
    expect(await againAt(world.ctx, { memberId: bruno.id, charge })).toBeNull();
  });

  test.each<[string, Fields, string, string]>([
    ["nothing typed", { amount: "other" }, "other", "Escreva quanto você quer dar"],
    ["too little", { amount: "other", other: "4,99" }, "other", "O menor apoio é R$\u00a05,00"],
    [
      "too much",
      { amount: "other", other: "5.000,01" },
      "other",
      "O maior apoio é R$\u00a05.000,00",
    ],
    ["a minus", { amount: "other", other: "-50" }, "other", "Escreva o valor assim: 25,00"],
    [
      "fractions of a centavo",
      { amount: "other", other: "10,001" },
      "other",
      "Escreva o valor assim: 25,00",
    ],
    ["an amount that is not offered", { amount: "1" }, "amount", "Escolha um valor"],
    ["a message that is too long", { message: "a".repeat(281) }, "message", "Use até 280 letras"],
    [
      "a card below its minimum",
      { amount: "other", other: "9,99", method: "card" },
      "method",
      "Este valor se paga só com Pix.",
    ],
  ])(
    "names %s beside its field, keeps the typed values and charges nothing",
    async (_, fields, field, sentence) => {
      const answer = await sent({ message: "Oi", ...fields });
      const problem = await answer.json<FormProblem>();
      expect({ isRefused: answer.status >= 400, sentence: problem.errors[field] }).toEqual({
        isRefused: true,
        sentence,
      });
      expect(problem.values).toMatchObject({ message: "Oi", ...fields });
      expect(await chargesOf(bruno.id)).toEqual([]);
    },
  );

  test.each<[string, () => Promise<{ by?: TestPerson; to?: string }>, string]>([
    [
      "a creator who takes none",
      async () => ({ to: (await createPerson(world.ctx, "Clara")).username }),
      "Esta página não recebe apoios.",
    ],
    [
      "an unknown creator",
      async () => ({ to: "ninguem-com-este-nome" }),
      "Esta página não recebe apoios.",
    ],
    ["oneself", async () => ({ by: ana }), "Esta página é sua: quem apoia são os outros."],
    [
      "a creator who blocked the payer",
      async () => (await block(world.ctx, { personId: ana.id, otherId: bruno.id }), {}),
      "Esta página não recebe apoios.",
    ],
    [
      "any creator, from a payer who is leaving",
      async () => (await requestDeletion(world.ctx, { personId: bruno.id }), {}),
      "Você pediu para excluir a conta. Para assinar, mantenha a conta primeiro.",
    ],
  ])("refuses a tip to %s with a message, and charges nothing", async (_, arrange, message) => {
    const way = await arrange();
    const answer = await sent({}, way);
    expect((await answer.json<FormProblem>()).message).toBe(message);
    expect(await chargesOf((way.by ?? bruno).id)).toEqual([]);
  });
});
