import { beforeAll, expect, test } from "vitest";
import { createPlan } from "#app/domain/plans/commands.server.ts";
import { formatDay, DAY_MS } from "#app/domain/time.ts";
import { takeToast } from "#app/http/toast.server.ts";
import * as planActivation from "#app/routes/studio/plans/plan-activation.tsx";
import * as planUpdate from "#app/routes/studio/plans/plan-update.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import { cookiesOf, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";

const routes = callRoutesAs([
  { path: "plan/:planId/activation", module: planActivation },
  { path: "plan/:planId/update", module: planUpdate },
]);

let world: World;
beforeAll(async () => {
  world = await testContext();
});

/** Puts a new plan on sale through its page. Returns what the toast says, and the plan. */
async function activated(seller: Seller): Promise<{ said: string | undefined; planId: string }> {
  const { planId } = await createPlan(world.ctx, {
    creatorId: seller.id,
    name: "Terreiro",
    description: "",
    benefits: [],
    prices: [{ interval: "monthly", amountCents: 2_990 }],
    seatsLimit: null,
    trialDays: 0,
    welcomeMessage: "",
  });
  const answer = await routes.post(
    { person: seller, isCreator: true },
    `/plan/${planId}/activation`,
    {},
  );
  const { toast } = await takeToast(
    new Request(TEST_ORIGIN, { headers: { Cookie: cookiesOf(answer) } }),
  );
  return { said: toast?.message, planId };
}

test("putting a plan on sale without photos says what is missing and when selling stops, and its page goes on saying it", async () => {
  const seller = await createSeller(world.ctx, { approved: false });
  const { said, planId } = await activated(seller);
  const day = formatDay(world.ctx.now() + 14 * DAY_MS);
  expect(said).toBe(
    `Pronto: seu plano está à venda. Faltam um documento com foto e a selfie. Sem isso, a venda para em ${day}.`,
  );
  const page = await routes.read<{ deadline: { missing: string[] } | null; canSendFiles: boolean }>(
    { person: seller, isCreator: true },
    `/plan/${planId}/update`,
  );
  expect(page).toMatchObject({
    deadline: { missing: ["identity", "selfie"] },
    canSendFiles: true,
  });
});

test("an approved seller reads of no date", async () => {
  const seller = await createSeller(world.ctx);
  const { said, planId } = await activated(seller);
  expect(said).toBe("Pronto: seu plano está à venda.");
  expect(
    await routes.read({ person: seller, isCreator: true }, `/plan/${planId}/update`),
  ).toMatchObject({ deadline: null });
});
