/**
 * The label of the button that completes a registration. With a cart (a saved payment form) it also
 * pays, or starts the chosen trial.
 */
export function registrationSubmitLabel(cart: string | null): string {
  if (cart === null) return "Confirmar e criar a conta";
  return "trialDays" in (JSON.parse(cart) as Record<string, string>)
    ? "Confirmar e começar o período grátis"
    : "Confirmar e pagar";
}
