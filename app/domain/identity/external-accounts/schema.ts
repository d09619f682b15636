import { z } from "zod";
import type { Instant } from "#app/domain/time.ts";

/**
 * Why a person signs in externally: to enter, to connect one more sign-in method, or to
 * authenticate again.
 */
const EXTERNAL_SIGN_IN_PURPOSES = ["sign-in", "connect", "confirm"] as const;
export type ExternalSignInPurpose = (typeof EXTERNAL_SIGN_IN_PURPOSES)[number];

export const externalSignInStartSchema = z.object({
  purpose: z.enum(EXTERNAL_SIGN_IN_PURPOSES).default("sign-in"),
});

/** An external provider, as a button names it. */
export type ExternalProviderOption = { id: string; name: string };

/**
 * An external account connected as a sign-in method. `label` is what its owner recognises: an
 * e-mail there, or a wallet's address.
 */
export type ExternalAccount = {
  id: string;
  providerId: string;
  accountId: string;
  label: string | null;
  since: Instant;
};

/** A person's current sign-in methods. */
export type SignInMethods = { hasPassword: boolean; passkeys: number; outside: ExternalAccount[] };

/**
 * A person's identity at an external provider. The e-mail counts only if the provider says that it
 * verified it.
 */
export type ExternalPerson = {
  accountId: string;
  email: string | null;
  isEmailProven: boolean;
  name: string | null;
  username: string | null;
};

/** An external account that this browser verified. It waits for its person to sign in and accept it. */
export type Offer = { providerId: string; accountId: string; label: string | null };

/** The pages of a member's external accounts and wallets. */
export const CONNECTIONS = "/auth/account/connections";
export const WALLETS = "/auth/account/wallets";

export const WALLET = "wallet";
export const oidcProviderId = (id: string): string => `oidc:${id}`;

const MESSAGE_MAX = 2_000;
/** Far more than a signature of 65 bytes: a contract's signature gets its own error message. */
const SIGNATURE_MAX = 20_000;
const address = z
  .string({ error: "Campo obrigatório" })
  .regex(/^0x[0-9a-fA-F]{40}$/, "Confira este campo.");

export const walletChallengeSchema = z.object({
  address,
  purpose: z.enum(EXTERNAL_SIGN_IN_PURPOSES).default("sign-in"),
});
/** A browser sends a form's line ends as CR LF. The signed text has LF. */
export const walletAnswerSchema = z.object({
  message: z
    .string({ error: "Campo obrigatório" })
    .max(MESSAGE_MAX)
    .transform((text) => text.replaceAll("\r\n", "\n")),
  signature: z
    .string({ error: "Campo obrigatório" })
    .max(SIGNATURE_MAX)
    .regex(/^0x[0-9a-fA-F]*$/, "Confira este campo."),
});
export type WalletAnswer = z.infer<typeof walletAnswerSchema>;
