/**
 * What the button says that ends a registration: with a cart (a payment form's fields, as kept) it
 * pays too, or begins the free days that were chosen.
 */
export function registrationSubmitLabel(cart: string | null): string {
  if (cart === null) return "Confirmar e criar a conta";
  return "trialDays" in (JSON.parse(cart) as Record<string, string>)
    ? "Confirmar e começar o período grátis"
    : "Confirmar e pagar";
}
