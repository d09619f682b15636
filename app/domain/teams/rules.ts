import type { InvitationStatus, TeamRole } from "#app/domain/teams/schema.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Held by triggers as well (drizzle/migrations, "teams"), so that two at once are counted too. */
export const MEMBERS_MAX = 50;
export const TEAMS_PER_PERSON_MAX = 20;
export const INVITATIONS_A_DAY = 50;

export const INVITATION_LIFE_MS = 14 * DAY_MS;

/** Where somebody stands in a space. The owner is whose space it is; on their own page everybody is. */
export type TeamPosition = "owner" | "billing_admin" | "admin" | "basic_member" | "guest_member";

export const permissions = [
  /** The space's inside: drafts, closed posts, its numbers. */
  "space:see",
  "posts:publish",
  /** Hiding, pinning and closing below the page's posts. */
  "comments:moderate",
  "messages:read",
  "plans:edit",
  "members:manage",
  "team:edit",
  /** Balance, transactions, payouts made. */
  "money:see",
  "payouts:request",
  /** Giving back what somebody paid the page. */
  "refunds:make",
  /** Answering a dispute of what the page received, or giving it up. */
  "disputes:answer",
  /** Where money goes and who is paid: the Pix key and the documents. */
  "billing:manage",
  /** Letting an admin see money and ask for payouts. */
  "billing:grant",
  "team:delete",
] as const;
export type Permission = (typeof permissions)[number];

const EVERYONE: readonly TeamPosition[] = [
  "owner",
  "billing_admin",
  "admin",
  "basic_member",
  "guest_member",
];
const WRITERS: readonly TeamPosition[] = ["owner", "billing_admin", "admin", "basic_member"];
const ADMINS: readonly TeamPosition[] = ["owner", "billing_admin", "admin"];
const MONEY: readonly TeamPosition[] = ["owner", "billing_admin"];
const OWNER: readonly TeamPosition[] = ["owner"];

const WHO_MAY: Record<Permission, readonly TeamPosition[]> = {
  "space:see": EVERYONE,
  "posts:publish": WRITERS,
  "comments:moderate": WRITERS,
  "messages:read": WRITERS,
  "plans:edit": ADMINS,
  "members:manage": ADMINS,
  "team:edit": ADMINS,
  "money:see": MONEY,
  "payouts:request": MONEY,
  "refunds:make": MONEY,
  "disputes:answer": MONEY,
  "billing:manage": OWNER,
  "billing:grant": OWNER,
  "team:delete": OWNER,
};

/**
 * Whether whoever stands so may do it: the one table of every door. Source: issue 3,
 * "Organisations"; spec section 6.
 */
export function isPermitted(standing: TeamPosition, permission: Permission): boolean {
  return WHO_MAY[permission].includes(standing);
}

/** The flag counts for an admin only: who became something else lost it. */
export function teamPositionOf({
  isOwner,
  role,
  mayManageBilling,
}: {
  isOwner: boolean;
  role: TeamRole;
  mayManageBilling: boolean;
}): TeamPosition {
  if (isOwner) return "owner";
  return role === "admin" && mayManageBilling ? "billing_admin" : role;
}

export type MemberProblem = "owner_stays" | "billing_is_the_owners" | "billing_without_admin";

/**
 * Why a member's place cannot become `next`, or null. Nobody touches the owner's; the billing flag
 * is only the owner's to move.
 */
export function memberChangeProblem(
  member: { isOwner: boolean; role: TeamRole; mayManageBilling: boolean },
  next: { role: TeamRole; mayManageBilling: boolean },
  by: TeamPosition,
): MemberProblem | null {
  if (member.isOwner) return "owner_stays";
  if (next.mayManageBilling && next.role !== "admin") return "billing_without_admin";
  if (next.mayManageBilling && !member.mayManageBilling && !isPermitted(by, "billing:grant"))
    return "billing_is_the_owners";
  return null;
}

/** An invitation as it is now: nobody has to run for one to expire. */
export function invitationStatus(
  { status, expiresAt }: { status: InvitationStatus; expiresAt: Instant },
  now: Instant,
): InvitationStatus {
  return status === "pending" && expiresAt <= now ? "expired" : status;
}

/** The typed name is compared as a person reads it: capitals and outer spaces do not count. */
export function isNameTyped(typed: string, name: string): boolean {
  const asRead = (text: string) =>
    text.normalize("NFC").trim().replaceAll(/\s+/g, " ").toLocaleLowerCase("pt-BR");
  return asRead(typed) === asRead(name);
}

/** Mail that anyone can have: nobody's team may claim it. */
const PUBLIC_MAIL = new Set([
  "aol.com",
  "bol.com.br",
  "duck.com",
  "fastmail.com",
  "globo.com",
  "globomail.com",
  "gmail.com",
  "gmx.com",
  "gmx.net",
  "googlemail.com",
  "hey.com",
  "hotmail.com",
  "hotmail.com.br",
  "icloud.com",
  "ig.com.br",
  "live.com",
  "live.com.br",
  "mac.com",
  "mail.com",
  "me.com",
  "msn.com",
  "oi.com.br",
  "outlook.com",
  "outlook.com.br",
  "pm.me",
  "pop.com.br",
  "proton.me",
  "protonmail.com",
  "r7.com",
  "rocketmail.com",
  "superig.com.br",
  "terra.com.br",
  "tutanota.com",
  "uol.com.br",
  "yahoo.com",
  "yahoo.com.br",
  "yandex.com",
  "ymail.com",
  "zipmail.com.br",
  "zoho.com",
]);

function domainOfEmail(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase();
}

export type DomainProblem = "public_mail" | "not_proven";

/**
 * Why a team may not have `domain`, or null: an admin with a verified e-mail of that very domain
 * proves it.
 */
export function domainProblem(
  domain: string,
  verifiedEmails: readonly string[],
): DomainProblem | null {
  if (PUBLIC_MAIL.has(domain)) return "public_mail";
  return verifiedEmails.some((email) => domainOfEmail(email) === domain) ? null : "not_proven";
}

/** The domains by which teams may be suggested to somebody. */
export function enrollingDomains(verifiedEmails: readonly string[]): string[] {
  return [...new Set(verifiedEmails.map(domainOfEmail))].filter(
    (domain) => !PUBLIC_MAIL.has(domain),
  );
}

/** "b•••@exemplo.test": enough to know one's own. */
export function maskEmail(email: string): string {
  return email.replace(/^(.).*(@.*)$/, "$1•••$2");
}

/** "Casa da Rabeca" proposes "casa-da-rabeca". */
export function proposedSlug(name: string): string {
  return name
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 50)
    .replace(/-$/, "");
}
