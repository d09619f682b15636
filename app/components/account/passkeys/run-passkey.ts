import { startAuthentication, startRegistration, WebAuthnError } from "@simplewebauthn/browser";
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import { IDENTITY_MESSAGES } from "#app/domain/identity/errors.ts";

type Problem = { errors?: Record<string, string>; message?: string | null };
type Ceremony = { done: true; response: string } | { done: false; message: string; field?: string };

const FAILED = "Não foi possível usar a chave de acesso agora. Tente de novo.";

/**
 * Runs a passkey ceremony: loads its options from our server and asks the browser to sign. Returns
 * the answer as JSON text, or a Portuguese error message.
 */
export async function runPasskeyCeremony(
  kind: "make" | "use",
  optionsPath: string,
  fields: FormData,
): Promise<Ceremony> {
  if (!window.PublicKeyCredential)
    return { done: false, message: IDENTITY_MESSAGES.passkey_not_supported };
  try {
    const answer = await fetch(optionsPath, { method: "POST", body: fields });
    if (!answer.ok) return refusalOf((await answer.json()) as Problem);
    const signed =
      kind === "make"
        ? await startRegistration({
            optionsJSON: (await answer.json()) as PublicKeyCredentialCreationOptionsJSON,
          })
        : await startAuthentication({
            optionsJSON: (await answer.json()) as PublicKeyCredentialRequestOptionsJSON,
          });
    return { done: true, response: JSON.stringify(signed) };
  } catch (error) {
    return { done: false, message: messageOf(error, kind) };
  }
}

function refusalOf({ errors = {}, message }: Problem): Ceremony {
  const [first] = Object.entries(errors);
  return first
    ? { done: false, field: first[0], message: first[1] }
    : { done: false, message: message ?? FAILED };
}

function messageOf(error: unknown, kind: "make" | "use"): string {
  const code = error instanceof WebAuthnError ? error.code : "";
  if (code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED")
    return IDENTITY_MESSAGES.passkey_already_exists;
  if (code === "ERROR_INVALID_RP_ID" || code === "ERROR_INVALID_DOMAIN")
    return IDENTITY_MESSAGES.passkey_invalid_rpID_or_domain;
  if (code.startsWith("ERROR_AUTHENTICATOR_")) return IDENTITY_MESSAGES.passkey_pa_not_supported;
  const isCancelled =
    error instanceof Error && (error.name === "NotAllowedError" || error.name === "AbortError");
  if (!isCancelled) return FAILED;
  return kind === "make"
    ? IDENTITY_MESSAGES.passkey_registration_cancelled
    : IDENTITY_MESSAGES.passkey_retrieval_cancelled;
}
