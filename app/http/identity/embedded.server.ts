import { data } from "react-router";
import { embeddedScreens } from "#app/compose-identity.server.ts";
import type { EmbeddedIdentity } from "#app/domain/identity/embedded/schema.ts";
import type { AuthRequest } from "./session.server.ts";

/** The embedded identity of a request. A 404 with another provider. */
export function embedded(asked: AuthRequest): EmbeddedIdentity {
  const screens = embeddedScreens(asked);
  if (!screens) throw data({ message: "Esta página não existe aqui." }, { status: 404 });
  return screens;
}
