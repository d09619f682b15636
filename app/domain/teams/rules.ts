import type { InvitationStatus } from "./schema.ts";
import type { TeamRole } from "#app/domain/teams/rules/roles.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * Enforced by triggers as well (drizzle/migrations, "teams"), so that parallel writes are counted
 * too.
 */
export const MEMBERS_MAX = 50;
export const TEAMS_PER_PERSON_MAX = 20;
export const INVITATIONS_A_DAY = 50;

export const INVITATION_LIFE_MS = 14 * DAY_MS;

/**
 * A person's position in a space. The owner is the one whose space it is. Everybody owns their own
 * page.
 */
export type TeamPosition = "owner" | "billing_admin" | "admin" | "basic_member" | "guest_member";

export const permissions = [
  /** The inside of the space: drafts, closed posts, its figures. */
  "space:see",
  "posts:publish",
  /** Creating, changing and canceling events; their list of people, and their door. */
  "events:manage",
  /** Hiding, pinning and closing comments below the page's posts. */
  "comments:moderate",
  "messages:read",
  /** Answering in the name of the page. */
  "messages:write",
  "plans:edit",
  "members:manage",
  "team:edit",
  /** The balance, the transactions and past payouts. */
  "money:see",
  "payouts:request",
  /** Refunding a payment to the page. */
  "refunds:make",
  /** Answering or conceding a dispute of a payment to the page. */
  "disputes:answer",
  /** The payout destination and the payee: the Pix key and the documents. */
  "billing:manage",
  /** Letting an admin see money and request payouts. */
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
  "events:manage": WRITERS,
  "comments:moderate": WRITERS,
  "messages:read": WRITERS,
  "messages:write": WRITERS,
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
 * Whether a position has a permission. It is the only table of permissions. Source: issue 3,
 * "Organisations"; spec section 6.
 */
export function isPermitted(position: TeamPosition, permission: Permission): boolean {
  return WHO_MAY[permission].includes(position);
}

/**
 * Returns the position of a seat. The billing flag counts for an admin only: any other role loses
 * it.
 */
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
 * Returns why a member's seat cannot become `next`, or null. Nobody changes the owner's seat. Only
 * the owner changes the billing flag.
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

/** Returns the current status of an invitation. It expires by the clock, without a job. */
export function invitationStatus(
  { status, expiresAt }: { status: InvitationStatus; expiresAt: Instant },
  now: Instant,
): InvitationStatus {
  return status === "pending" && expiresAt <= now ? "expired" : status;
}

/** Compares the typed name with the real one. Capitals and outer spaces do not count. */
export function isNameTyped(typed: string, name: string): boolean {
  const asRead = (text: string) =>
    text.normalize("NFC").trim().replaceAll(/\s+/g, " ").toLocaleLowerCase("pt-BR");
  return asRead(typed) === asRead(name);
}

/** Public mail domains: no team may claim them. */
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
 * Returns why a team cannot have `domain`, or null. An admin proves it by a verified e-mail of
 * exactly that domain.
 */
export function domainProblem(
  domain: string,
  verifiedEmails: readonly string[],
): DomainProblem | null {
  if (PUBLIC_MAIL.has(domain)) return "public_mail";
  return verifiedEmails.some((email) => domainOfEmail(email) === domain) ? null : "not_proven";
}

/** Returns the domains by which teams can be suggested to a person. */
export function enrollingDomains(verifiedEmails: readonly string[]): string[] {
  return [...new Set(verifiedEmails.map(domainOfEmail))].filter(
    (domain) => !PUBLIC_MAIL.has(domain),
  );
}

/** Masks an e-mail so that its owner still recognises it: "b•••@exemplo.test". */
export function maskEmail(email: string): string {
  return email.replace(/^(.).*(@.*)$/, "$1•••$2");
}

/** Proposes a slug from a name: "Casa da Rabeca" gives "casa-da-rabeca". */
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
