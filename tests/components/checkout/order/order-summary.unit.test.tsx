import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { EXAMPLE_COMPANY } from "#app/configuration/company.ts";
import { OrderSummary } from "#app/components/checkout/order/order-summary.tsx";
import { instantOf } from "#app/domain/time.ts";

const RENEWS_AT = instantOf({ year: 2026, month: 12, day: 24 });

function summary(debitOn: string | null): string {
  const Stub = createRoutesStub([
    {
      id: "root",
      path: "/",
      loader: () => null,
      Component: () => (
        <OrderSummary
          kind="plan"
          title="Camarim"
          creatorName="Ana"
          creatorUsername="ana"
          creatorAvatarUrl={null}
          renews="monthly"
          amountCents={1_990}
          nextChargeAt={RENEWS_AT}
          seller={null}
          debitOn={debitOn}
        />
      ),
    },
  ]);
  return renderToStaticMarkup(
    <Stub hydrationData={{ loaderData: { root: { company: EXAMPLE_COMPANY } } }} />,
  );
}

test("beside Pix Automático the summary names the day of its debit, and no other", () => {
  const page = summary("23/12/2026");
  expect(page).toMatch(/class="group-has-[^"]*:hidden">24\/12\/2026</);
  expect(page).toMatch(/class="hidden group-has-[^"]*:inline">23\/12\/2026</);
});

test("where no debit can be chosen it names the day of the renewal", () => {
  expect(summary(null)).toContain("Próxima cobrança em 24/12/2026");
});
