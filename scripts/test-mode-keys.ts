/**
 * Why the contract tests must not run against `provider` with these keys; null if they may. Live
 * keys are recognised by their format and refused.
 */
export function testModeProblem(
  provider: string,
  keys: Record<string, string | undefined>,
): string | null {
  if (provider === "stripe") {
    return /^(sk|rk)_test_\w+$/.test(keys["STRIPE_SECRET_KEY"] ?? "")
      ? null
      : "STRIPE_SECRET_KEY must be a key of the test mode (sk_test_… or rk_test_…).";
  }
  if (provider === "asaas") {
    if (!keys["ASAAS_API_KEY"]) return "ASAAS_API_KEY is missing.";
    const url = keys["ASAAS_API_URL"] ?? "";
    const host = URL.canParse(url) ? new URL(url).hostname : "";
    return host === "api-sandbox.asaas.com" || host === "127.0.0.1"
      ? null
      : "ASAAS_API_URL must be https://api-sandbox.asaas.com/v3: money of the other one is real.";
  }
  return "npm run test-mode -- stripe|asaas";
}
