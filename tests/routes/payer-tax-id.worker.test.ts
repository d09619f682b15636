import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { MiddlewareFunction } from "react-router";
import { domainContext, viewerContext } from "#app/http/contexts.ts";
import type { FormProblem } from "#app/http/form.ts";
import * as checkout from "#app/routes/checkout/checkout.tsx";
import * as tip from "#app/routes/space/tip.tsx";
import { billingDetails } from "#drizzle/schema/billing.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { door, formRequest, ORIGIN } from "#tests/support/door.ts";
import { person, seller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext();
  ana = await seller(world.ctx);
});

/** A product that sells by a provider which charges nobody without a CPF or CNPJ, as Asaas. */
function doorsOf(member: TestPerson, needsPayerTaxId = true) {
  const recognise: MiddlewareFunction<Response> = ({ context }) => {
    context.set(viewerContext, { ...member, avatarUrl: null, isCreator: false, isModerator: false, leavingAt: null });
    context.set(domainContext, { ...world.ctx, payments: { ...world.ctx.payments, needsPayerTaxId } });
  };
  return door([
    { path: "checkout", module: checkout, middleware: [recognise as MiddlewareFunction] },
    { path: "space/:id/tip", module: tip, middleware: [recognise as MiddlewareFunction] },
  ]);
}

const keptOf = (personId: string) => world.ctx.db.select({ taxKind: billingDetails.taxKind, taxId: billingDetails.taxId, name: billingDetails.name }).from(billingDetails).where(eq(billingDetails.personId, personId));
const countOf = async (payerId: string) => (await world.ctx.db.select().from(charges).where(eq(charges.payerId, payerId))).length;
const plan = () => ({ planPriceId: ana.priceId, method: "pix", amountCents: "1990" });
const ways: [string, () => string, () => Record<string, string>][] = [
  ["a plan", () => `/checkout?plan=${ana.planId}`, plan],
  ["a tip", () => `/space/${ana.username}/tip`, () => ({ amount: "2000", other: "", message: "Pelo café", method: "pix" })],
];

test.each(ways)("%s asks for a CPF or CNPJ where the provider needs it, keeps it, and asks once", async (_, path, fields) => {
  const bruno = await person(world.ctx, "Bruno");
  const ask = doorsOf(bruno);
  const asks = async () => ((await (await ask(new Request(ORIGIN + path()))).json()) as { asksTaxId: boolean }).asksTaxId;
  expect(await asks()).toBe(true);

  const refused = await ask(formRequest(path(), { ...fields(), taxId: "529.982.247-24" }));
  const problem = (await refused.json()) as FormProblem;
  expect([refused.status, problem.errors]).toEqual([400, { taxId: "Confira o CPF: os números não batem" }]);
  expect(problem.values).toMatchObject({ ...fields(), taxId: "529.982.247-24" });
  expect([await keptOf(bruno.id), await countOf(bruno.id)]).toEqual([[], 0]);

  expect((await ask(formRequest(path(), { ...fields(), taxId: "12.abc.345/01de-35" }))).status).toBe(303);
  expect(await keptOf(bruno.id)).toEqual([{ taxKind: "cnpj", taxId: "12ABC34501DE35", name: "Bruno" }]);
  expect([await asks(), await countOf(bruno.id)]).toEqual([false, 1]);
});

test("whatever else is wrong is said in the same breath, and where no provider asks nobody is asked", async () => {
  const bruno = await person(world.ctx, "Bruno");
  const answer = await doorsOf(bruno)(formRequest(`/checkout?plan=${ana.planId}`, { ...plan(), method: "boleto" }));
  expect(((await answer.json()) as FormProblem).errors).toEqual({ method: "Escolha uma das opções.", taxId: "Informe o CPF ou o CNPJ" });
  expect((await doorsOf(bruno, false)(formRequest(`/checkout?plan=${ana.planId}`, plan()))).status).toBe(303);
  expect(await keptOf(bruno.id)).toEqual([]);
});
