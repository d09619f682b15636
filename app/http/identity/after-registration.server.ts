import { redirect } from "react-router";
import { payGuestCart } from "#app/http/checkout/guest.server.ts";
import type { RegistrationEnd } from "#app/domain/identity/embedded/schema.ts";
import type { AuthRequest } from "./session.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";

/**
 * Redirects after a registration: home as a member, to the chosen payment, to another username, or
 * to the message that the email has an account.
 */
export async function finishRegistration(
  asked: Pick<AuthRequest, "ctx" | "request">,
  end: RegistrationEnd | { kind: "code" },
) {
  switch (end.kind) {
    case "member":
      if (end.cart) return payGuestCart(asked, end);
      return redirectWithToast(
        asked.request,
        end.to,
        { kind: "success", message: `Boas-vindas ao Coreto, ${end.name}.` },
        end.headers,
      );
    case "username-taken":
      return redirect("/auth/register/profile");
    case "code":
      return redirect("/auth/register/code");
    case "email-taken":
      return redirect("/auth/register/taken");
  }
}
