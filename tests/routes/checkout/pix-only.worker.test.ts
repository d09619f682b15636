import { expect, test } from "vitest";
import * as checkoutPage from "#app/routes/checkout/checkout.tsx";
import * as giftPage from "#app/routes/checkout/gift.tsx";
import { testContext } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { asMember, renderPagesAs } from "#tests/support/rendered-pages.ts";

const CHEAP = "Valores abaixo de R$\u00a010,00 se pagam só com Pix.";
const SEVERAL = "Vários períodos de uma vez se pagam só com Pix";
const BY_CARD = 'value="card"';

test("a checkout without a card says why, and one with a card says nothing of it", async () => {
  const { ctx } = await testContext();
  const bruno = await createPerson(ctx, "Bruno Reis");
  const [cheap, dear] = [
    await createSeller(ctx, { amountCents: 900 }),
    await createSeller(ctx, { amountCents: 1_990 }),
  ];
  const page = renderPagesAs(
    () => ctx,
    () => asMember(bruno),
    [
      { path: "checkout", module: checkoutPage },
      { path: "plan/:planId/gift", module: giftPage },
    ],
  );
  const cases: [path: string, why: string | null][] = [
    [`/checkout?plan=${cheap.planId}`, CHEAP],
    [`/plan/${cheap.planId}/gift`, CHEAP],
    [`/checkout?plan=${dear.planId}&periods=3`, SEVERAL],
    [`/checkout?plan=${dear.planId}`, null],
    [`/plan/${dear.planId}/gift`, null],
  ];
  for (const [path, why] of cases) {
    const html = await page(path);
    expect(html.includes(BY_CARD), path).toBe(why === null);
    if (why === null) expect(html, path).not.toContain("só com Pix");
    else expect(html, path).toContain(why);
  }
});
