const NAMES: Readonly<Record<string, string>> = {
  sandbox: "Provedor de testes",
  stripe: "Stripe",
  asaas: "Asaas",
};

/** A payment provider's name for the staff: "sandbox" is "Provedor de testes". */
export const providerLabel = (provider: string): string => NAMES[provider] ?? provider;
