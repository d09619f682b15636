import { expect, test } from "vitest";
import { providerLabel } from "#app/components/ledger/provider-label.ts";

test.each([
  ["sandbox", "Provedor de testes"],
  ["asaas", "Asaas"],
  ["another", "another"],
])("the staff reads the provider %s as %s", (name, label) => {
  expect(providerLabel(name)).toBe(label);
});
