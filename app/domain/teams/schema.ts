import { z } from "zod";
import { EMAIL_MAX, emailSchema, nameSchema } from "#app/domain/identity/schema.ts";
import { optionalImageSchema } from "#app/domain/media/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { teamRoles, enrolmentModes } from "#app/domain/teams/rules/roles.ts";
import type { TeamRole, EnrolmentMode } from "#app/domain/teams/rules/roles.ts";
import { nounFor } from "#app/domain/text.ts";

const SLUG_MIN = 3;
export const SLUG_MAX = 60;
/** A form that emails strangers stays short. */
export const EMAILS_AT_ONCE = 20;
const EMAILS_TEXT_MAX = EMAILS_AT_ONCE * (EMAIL_MAX + 2);
const REQUIRED = "Campo obrigatório";

/** Taken paths after `/settings/teams/`. */
const RESERVED_SLUGS = new Set(["acting", "create", "invitations", "manage", "suggestions"]);

const slugSchema = z
  .string({ error: REQUIRED })
  .trim()
  .toLowerCase()
  .min(1, REQUIRED)
  .min(SLUG_MIN, `Use de ${SLUG_MIN} a ${SLUG_MAX} caracteres.`)
  .max(SLUG_MAX, `Use de ${SLUG_MIN} a ${SLUG_MAX} caracteres.`)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "Use letras sem acento, números e hífens entre eles.")
  .refine((slug) => !RESERVED_SLUGS.has(slug), "Este endereço não está disponível. Escolha outro.");

/** The forms "Criar equipe" and "Editar equipe". */
export const teamFormSchema = z.object({
  name: nameSchema,
  slug: slugSchema,
  logo: optionalImageSchema,
});

const roleSchema = z.enum(teamRoles, { error: "Escolha o que a pessoa faz na equipe." });

/**
 * Parses "ana@x.br, bruno@x.br caio@x.br", split at spaces or commas (spec section 5). Each once,
 * lower-case. The error names invalid ones.
 */
export const emailsSchema = z
  .string({ error: REQUIRED })
  .trim()
  .min(1, REQUIRED)
  .max(EMAILS_TEXT_MAX, `Convide até ${EMAILS_AT_ONCE} pessoas por vez.`)
  .transform((text) => [
    ...new Set(
      text
        .toLowerCase()
        .split(/[\s,;]+/)
        .filter(Boolean),
    ),
  ])
  .superRefine((emails, context) => {
    const bad = emails.filter((email) => !emailSchema.safeParse(email).success);
    if (bad.length > 0)
      context.addIssue({
        code: "custom",
        message: `Confira ${nounFor(bad.length, "este e-mail", "estes e-mails")}: ${bad.join(", ")}`,
      });
    else if (emails.length === 0) context.addIssue({ code: "custom", message: REQUIRED });
    else if (emails.length > EMAILS_AT_ONCE)
      context.addIssue({
        code: "custom",
        message: `Convide até ${EMAILS_AT_ONCE} pessoas por vez.`,
      });
  });

/** The form "Convidar". */
export const invitationFormSchema = z.object({ emails: emailsSchema, role: roleSchema });

/** The form of one member. An unticked box is not sent. */
export const memberFormSchema = z.object({
  role: roleSchema,
  mayManageBilling: z
    .literal("on")
    .optional()
    .transform((marked) => marked === "on"),
});

/** The form "Aprovar". */
export const approvalFormSchema = z.object({ role: roleSchema });

const DOMAIN_MAX = 253;

/** The form "Domínio". An empty domain removes it. */
export const domainFormSchema = z.object({
  domain: z
    .string()
    .trim()
    .toLowerCase()
    .max(DOMAIN_MAX, "Escreva um domínio, como casadarabeca.com.br.")
    .transform((text) => text.replace(/^@/, ""))
    .refine(
      (text) => text === "" || /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/.test(text),
      "Escreva um domínio, como casadarabeca.com.br.",
    )
    .default("")
    .transform((text) => (text === "" ? null : text)),
  enrolment: z.enum(enrolmentModes, { error: "Escolha quem pode entrar." }),
});

/** Leaving and deleting ask for the team's name (spec section 5). */
export const confirmationFormSchema = z.object({
  confirmation: z.string({ error: REQUIRED }).trim().min(1, REQUIRED),
});

/** A person's seat in a live team, with the team's space. */
export type Seat = {
  teamId: string;
  teamName: string;
  slug: string;
  domain: string | null;
  enrolment: EnrolmentMode;
  logoMediaId: string | null;
  /** The identity provider that manages the team; null when we do. */
  provider: string | null;
  role: TeamRole;
  mayManageBilling: boolean;
  isOwner: boolean;
  owner: {
    personId: string;
    username: string;
    name: string;
    avatarMediaId: string | null;
    isCreator: boolean;
  };
};

export type TeamMember = {
  personId: string;
  name: string;
  username: string;
  avatarMediaId: string | null;
  role: TeamRole;
  mayManageBilling: boolean;
  isOwner: boolean;
  joinedAt: Instant;
};

export type InvitationStatus = "pending" | "accepted" | "revoked" | "expired";
