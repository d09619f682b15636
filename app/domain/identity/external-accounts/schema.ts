import { z } from "zod";
import type { Instant } from "#app/domain/time.ts";

/**
 * Why somebody goes to another account: to enter, to make it one more way in, or to show that it is
 * still them.
 */
const EXTERNAL_SIGN_IN_PURPOSES = ["sign-in", "connect", "confirm"] as const;
export type ExternalSignInPurpose = (typeof EXTERNAL_SIGN_IN_PURPOSES)[number];

export const externalSignInStartSchema = z.object({
  purpose: z.enum(EXTERNAL_SIGN_IN_PURPOSES).default("sign-in"),
});

/** A place to have an account, as a button names it. */
export type ExternalProviderOption = { id: string; name: string };

/**
 * One more way into an account. `label` is how its owner knows it: an e-mail there, or a wallet's
 * address.
 */
export type ExternalAccount = {
  id: string;
  providerId: string;
  accountId: string;
  label: string | null;
  since: Instant;
};

/** How a person can sign in today. */
export type SignInMethods = { hasPassword: boolean; passkeys: number; outside: ExternalAccount[] };

/** Who somebody is elsewhere. The e-mail is theirs only where the provider says that it proved it. */
export type ExternalPerson = {
  accountId: string;
  email: string | null;
  isEmailProven: boolean;
  name: string | null;
  username: string | null;
};

/**
 * An outside account that this browser proved, and that waits for its person to sign in and say
 * yes.
 */
export type Offer = { providerId: string; accountId: string; label: string | null };

/** The pages where a member's outside accounts and wallets are. */
export const CONNECTIONS = "/auth/account/connections";
export const WALLETS = "/auth/account/wallets";

export const WALLET = "wallet";
export const oidcProviderId = (id: string): string => `oidc:${id}`;

const MESSAGE_MAX = 2_000;
/** Far more than a signature of 65 bytes: a contract's is refused by its own sentence. */
const SIGNATURE_MAX = 20_000;
const address = z
  .string({ error: "Campo obrigatório" })
  .regex(/^0x[0-9a-fA-F]{40}$/, "Confira este campo.");

export const walletChallengeSchema = z.object({
  address,
  purpose: z.enum(EXTERNAL_SIGN_IN_PURPOSES).default("sign-in"),
});
/** A browser sends a form's line ends as CR LF; what was signed has LF. */
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
