import { USERNAME_MAX, USERNAME_MIN } from "#app/domain/identity/rules/username-length.ts";
import { z } from "zod";
import { IDENTITY_MESSAGES } from "./errors.ts";

import { passwordStrength } from "#app/domain/identity/rules/passwords.ts";

/** The signed-in person, as every screen and command knows them. A member always has a profile. */
export const memberSchema = z.object({
  id: z.string(),
  email: z.string(),
  username: z.string(),
  name: z.string(),
  avatarUrl: z.string().nullable(),
  isCreator: z.boolean(),
  isModerator: z.boolean(),
  /** When they requested deletion, while they can still cancel it; null for everybody else. */
  leavingAt: z.number().nullable(),
});
export type Member = z.infer<typeof memberSchema>;

/** A person with their profile, as the database stores them. */
export type MemberRow = {
  id: string;
  email: string;
  bannedAt: number | null;
  leavingAt: number | null;
  deletedAt: number | null;
  /** Null until the registration is finished. */
  registeredAt: number | null;
  isModerator: boolean;
  username: string;
  name: string;
  avatarMediaId: string | null;
  isCreator: boolean;
};

/** An identity provider's data of the person of a request. */
export type ProviderUser = {
  providerUserId: string;
  email: string;
  name: string;
  username: string;
  /** Our person that the operator migrated to this provider. Only the operator can set this there. */
  movedPersonId?: string;
};

/** A provider's answer with the cookies to set. */
export type Identified = { user: ProviderUser; headers: Headers; member?: MemberRow | undefined };

/** One open session of a person. `isCurrent` is the session of the request. */
export type OpenSession = {
  id: string;
  createdAt: number;
  lastSeenAt: number;
  device: string;
  isCurrent: boolean;
};

/**
 * What the product needs from the provider of passwords and sessions. Every method that signs in
 * refuses with the errors of this module, and returns the headers (cookies) to forward.
 */
export type IdentityPort = {
  /** `local` or `clerk`: with the provider's own user id it identifies a person for ever. */
  name: string;
  /**
   * Returns the person of a request's cookie or Bearer token, or null. Never throws for a bad
   * token.
   */
  session(request: Request): Promise<Identified | null>;
  signIn(request: Request, input: SignIn): Promise<Identified>;
  signOut(request: Request): Promise<Headers>;
  /** Issues a Bearer token for the API. `expiresAt` is in epoch milliseconds. */
  issueToken(
    request: Request,
    input: SignIn,
  ): Promise<{ token: string; expiresAt: number; user: ProviderUser }>;
  openSessions(request: Request): Promise<OpenSession[]>;
  endOtherSessions(request: Request): Promise<void>;
};

export const NAME_MAX = 256;
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX_BYTES = 256;
export const EMAIL_MAX = 254;
const REQUIRED = "Campo obrigatório";

/**
 * Every top-level route, the taken paths of `/space/`, and words that would seem to be the
 * platform's.
 */
const RESERVED_USERNAMES = new Set([
  "unsubscribe",
  "admin",
  "administrador",
  "administrator",
  "age-check",
  "appeal",
  "ajuda",
  "analytics",
  "api",
  "app",
  "assets",
  "atendimento",
  "auth",
  "checkout",
  "collection",
  "conta",
  "coreto",
  "coreto.app",
  "contato",
  "create",
  "embed",
  "entrar",
  "equipe",
  "events",
  "explore",
  "favicon.ico",
  "feed",
  "financeiro",
  "gift",
  "healthz",
  "help",
  "home",
  "humans.txt",
  "login",
  "logout",
  "mail",
  "me",
  "media",
  "messages",
  "moderacao",
  "moderador",
  "moderator",
  "noreply",
  "no-reply",
  "notifications",
  "oficial",
  "offline",
  "official",
  "pagamentos",
  "pictures",
  "pix",
  "plan",
  "post",
  "postmaster",
  "public",
  "refund",
  "register",
  "report",
  "renewal",
  "resources",
  "robots.txt",
  "root",
  "sair",
  "sandbox",
  "sandbox-age",
  "security",
  "seguranca",
  "settings",
  "sitemap.xml",
  "sitemaps",
  "space",
  "staff",
  "static",
  "status",
  "suporte",
  "support",
  "system",
  "terms",
  "termos",
  "webhooks",
  "webmaster",
  "www",
]);

/**
 * Folds look-alike characters and removes joiners: "c0reto", "co.re.to" and "coreto_" give
 * "coreto".
 */
export function usernameSkeleton(username: string): string {
  const passesFor: Record<string, string> = {
    "0": "o",
    "1": "l",
    i: "l",
    "3": "e",
    "4": "a",
    "5": "s",
    "7": "t",
    "8": "b",
  };
  return username
    .toLowerCase()
    .replaceAll(/[._-]/g, "")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replaceAll(/[013457i8]/g, (letter) => passesFor[letter] ?? letter);
}

const RESERVED_SKELETONS = new Set([...RESERVED_USERNAMES].map(usernameSkeleton));

/** True for a reserved word and for its look-alikes. Source: domain rules, "People". */
export function isReservedUsername(username: string): boolean {
  return (
    RESERVED_USERNAMES.has(username.toLowerCase()) ||
    RESERVED_SKELETONS.has(usernameSkeleton(username))
  );
}

/** Refuses a username that looks like a phone: people sign in by phone in the same field. */
const passesForPhone = (username: string): boolean =>
  !/[a-z]/.test(username) && username.replaceAll(/\D/g, "").length >= 7;

/** Lower-cased: usernames are unique without case. Spec section 5: 3 to 256 characters. */
export const usernameSchema = z
  .string({ error: REQUIRED })
  .trim()
  // Checked before it is lower-cased: some look-alikes of Latin letters, as the Kelvin sign, would
  // become Latin.
  .regex(/^[A-Za-z0-9._-]*$/, "Use só letras sem acento, números, ponto, hífen e sublinhado.")
  .toLowerCase()
  .min(1, REQUIRED)
  .min(
    USERNAME_MIN,
    `O nome de usuário precisa ter de ${USERNAME_MIN} a ${USERNAME_MAX} caracteres.`,
  )
  .max(
    USERNAME_MAX,
    `O nome de usuário precisa ter de ${USERNAME_MIN} a ${USERNAME_MAX} caracteres.`,
  )
  .regex(/^[a-z0-9].*[a-z0-9]$/, "Comece e termine com letra ou número.")
  .refine(
    (username) => !passesForPhone(username),
    "Use pelo menos uma letra: só com números, ele se confunde com um telefone.",
  )
  .refine(
    (username) => !isReservedUsername(username),
    "Este nome de usuário não está disponível. Escolha outro.",
  );

export const emailSchema = z
  .string({ error: REQUIRED })
  .trim()
  .toLowerCase()
  .min(1, REQUIRED)
  .max(EMAIL_MAX, "Identificador inválido.")
  .pipe(z.email("Identificador inválido."));

const passwordBytes = (password: string) => new TextEncoder().encode(password).length;

export const newPasswordSchema = z
  .string({ error: REQUIRED })
  .min(1, REQUIRED)
  .min(PASSWORD_MIN, `A senha é curta demais. Use pelo menos ${PASSWORD_MIN} caracteres.`)
  .refine(
    (password) => passwordBytes(password) <= PASSWORD_MAX_BYTES,
    `A senha é longa demais. Use até ${PASSWORD_MAX_BYTES} bytes.`,
  )
  .refine(
    (password) => passwordStrength(password) !== "fraca",
    IDENTITY_MESSAGES.form_password_not_strong_enough,
  );

/**
 * Line breaks, other controls, and characters that turn the text direction: a name is used in
 * sentences and emails.
 */
const NEVER_IN_A_NAME = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const SOMETHING_SEEN = /[^\p{Cf}\p{Z}]/u;

export const nameSchema = z
  .string({ error: REQUIRED })
  .trim()
  .min(1, REQUIRED)
  .max(NAME_MAX, `Use até ${NAME_MAX} caracteres.`)
  .refine(
    (name) => !NEVER_IN_A_NAME.test(name),
    "Escreva o nome em uma linha, só com letras e sinais comuns.",
  )
  .refine((name) => SOMETHING_SEEN.test(name), REQUIRED);

/** What a person types to sign in: an e-mail, a phone in any format, or a username. */
export const identifierSchema = z
  .string({ error: REQUIRED })
  .trim()
  .toLowerCase()
  .min(1, REQUIRED)
  .max(USERNAME_MAX, "Identificador inválido.");

/** The form "Entrar". */
export const signInSchema = z.object({
  identifier: identifierSchema,
  password: z
    .string({ error: REQUIRED })
    .min(1, REQUIRED)
    .refine((password) => passwordBytes(password) <= PASSWORD_MAX_BYTES, "Senha incorreta."),
});
export type SignIn = z.infer<typeof signInSchema>;
