import { describe, expect, test } from "vitest";
import {
  isPermitted,
  domainProblem,
  enrollingDomains,
  invitationStatus,
  isNameTyped,
  maskEmail,
  memberChangeProblem,
  permissions,
  proposedSlug,
  teamPositionOf,
} from "#app/domain/teams/rules.ts";
import type { Permission, TeamPosition } from "#app/domain/teams/rules.ts";
import {
  domainFormSchema,
  emailsSchema,
  EMAILS_AT_ONCE,
  invitationFormSchema,
  memberFormSchema,
  teamFormSchema,
} from "#app/domain/teams/schema.ts";

const STANDINGS: TeamPosition[] = [
  "owner",
  "billing_admin",
  "admin",
  "basic_member",
  "guest_member",
];

/** Columns: owner, admin with billing, admin, basic member, guest. */
const TABLE: Record<Permission, string> = {
  "space:see": "yes yes yes yes yes",
  "posts:publish": "yes yes yes yes no",
  "events:manage": "yes yes yes yes no",
  "comments:moderate": "yes yes yes yes no",
  "messages:read": "yes yes yes yes no",
  "messages:write": "yes yes yes yes no",
  "plans:edit": "yes yes yes no no",
  "members:manage": "yes yes yes no no",
  "team:edit": "yes yes yes no no",
  "money:see": "yes yes no no no",
  "payouts:request": "yes yes no no no",
  "refunds:make": "yes yes no no no",
  "disputes:answer": "yes yes no no no",
  "billing:manage": "yes no no no no",
  "billing:grant": "yes no no no no",
  "team:delete": "yes no no no no",
};

test.each(permissions)("%s is granted as the table says", (permission) => {
  expect(
    STANDINGS.map((standing) => (isPermitted(standing, permission) ? "yes" : "no")).join(" "),
  ).toBe(TABLE[permission]);
});

test("the billing flag counts for an admin only, and the owner needs none", () => {
  const stand = (role: "admin" | "basic_member", mayManageBilling: boolean, isOwner = false) =>
    teamPositionOf({ role, mayManageBilling, isOwner });
  expect([
    stand("admin", true),
    stand("admin", false),
    stand("basic_member", true),
    stand("admin", false, true),
  ]).toEqual(["billing_admin", "admin", "basic_member", "owner"]);
});

describe("a member's role", () => {
  const basic = { isOwner: false, role: "basic_member", mayManageBilling: false } as const;
  const admin = { isOwner: false, role: "admin", mayManageBilling: false } as const;
  const rich = { isOwner: false, role: "admin", mayManageBilling: true } as const;
  test.each([
    [
      "nobody changes the owner's role",
      { ...admin, isOwner: true },
      { role: "basic_member", mayManageBilling: false },
      "owner",
      "owner_stays",
    ],
    [
      "an admin can make an admin",
      basic,
      { role: "admin", mayManageBilling: false },
      "admin",
      null,
    ],
    [
      "an admin cannot grant the billing flag",
      basic,
      { role: "admin", mayManageBilling: true },
      "billing_admin",
      "billing_is_the_owners",
    ],
    [
      "an admin cannot grant it to themselves",
      admin,
      { role: "admin", mayManageBilling: true },
      "admin",
      "billing_is_the_owners",
    ],
    [
      "an admin can leave a granted billing flag",
      rich,
      { role: "admin", mayManageBilling: true },
      "admin",
      null,
    ],
    ["an admin can remove it", rich, { role: "admin", mayManageBilling: false }, "admin", null],
    ["the owner can grant it", admin, { role: "admin", mayManageBilling: true }, "owner", null],
    [
      "the owner can grant it only to an admin",
      basic,
      { role: "basic_member", mayManageBilling: true },
      "owner",
      "billing_without_admin",
    ],
  ] as const)("%s", (_, member, next, by, problem) => {
    expect(memberChangeProblem(member, next, by)).toBe(problem);
  });
});

describe("the e-mails of an invitation", () => {
  const emails = (text: string) => {
    const parsed = emailsSchema.safeParse(text);
    return parsed.success ? parsed.data : (parsed.error.issues[0]?.message ?? "");
  };
  test.each([
    ["one", "ana@x.br", ["ana@x.br"]],
    ["by spaces", "ana@x.br  bia@x.br", ["ana@x.br", "bia@x.br"]],
    ["by commas", "ana@x.br,bia@x.br, caio@x.br", ["ana@x.br", "bia@x.br", "caio@x.br"]],
    ["by lines", "ana@x.br\nbia@x.br", ["ana@x.br", "bia@x.br"]],
    ["one person in capitals", "Ana@X.br, ana@x.br", ["ana@x.br"]],
    ["an invalid one is named", "ana@x.br, bia@, caio@x.br", "Confira este e-mail: bia@"],
    ["two invalid ones are named", "ana bia@x.br @x", "Confira estes e-mails: ana, @x"],
    ["nothing", "  ", "Campo obrigatório"],
    ["only commas", " , ,", "Campo obrigatório"],
  ])("%s", (_, text, expected) => {
    expect(emails(text)).toEqual(expected);
  });

  test("can be up to twenty", () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => `p${index}@x.br`).join(" ");
    expect(emails(many(EMAILS_AT_ONCE))).toHaveLength(EMAILS_AT_ONCE);
    expect(emails(many(EMAILS_AT_ONCE + 1))).toBe("Convide até 20 pessoas por vez.");
    expect(emails("a".repeat(10_000))).toBe("Convide até 20 pessoas por vez.");
  });

  test("require a role that exists", () => {
    expect(invitationFormSchema.safeParse({ emails: "ana@x.br", role: "owner" }).success).toBe(
      false,
    );
    expect(memberFormSchema.parse({ role: "admin" }).mayManageBilling).toBe(false);
    expect(memberFormSchema.parse({ role: "admin", mayManageBilling: "on" }).mayManageBilling).toBe(
      true,
    );
  });
});

describe("a team's domain", () => {
  test.each([
    ["CasaDaRabeca.com.br", "casadarabeca.com.br"],
    ["@casadarabeca.com.br", "casadarabeca.com.br"],
    ["", null],
    ["casa da rabeca", undefined],
    ["localhost", undefined],
    ["-x.com", undefined],
    [`${"a".repeat(64)}.com`, undefined],
  ])("%j is parsed as %j", (typed, read) => {
    const parsed = domainFormSchema.safeParse({ domain: typed, enrolment: "manual_invitation" });
    expect(parsed.success ? parsed.data.domain : undefined).toBe(read);
  });

  test.each([
    ["rabeca.com.br", ["ana@rabeca.com.br"], null],
    ["rabeca.com.br", ["ana@outra.com.br"], "not_proven"],
    ["rabeca.com.br", ["ana@loja.rabeca.com.br"], "not_proven"],
    ["rabeca.com.br", ["rabeca.com.br@outra.com.br"], "not_proven"],
    ["rabeca.com.br", [], "not_proven"],
    ["gmail.com", ["ana@gmail.com"], "public_mail"],
    ["uol.com.br", ["ana@uol.com.br"], "public_mail"],
  ])("%s with %j: %s", (domain, emails, problem) => {
    expect(domainProblem(domain, emails)).toBe(problem);
  });

  test("of a public mail provider suggests no team", () => {
    expect(enrollingDomains(["ana@gmail.com", "ana@rabeca.com.br", "bia@rabeca.com.br"])).toEqual([
      "rabeca.com.br",
    ]);
  });
});

test.each([
  ["casa-da-rabeca", true],
  ["Casa-Da-Rabeca", true],
  ["ab", false],
  ["casa da rabeca", false],
  ["-casa", false],
  ["casa--rabeca", false],
  ["create", false],
  ["invitations", false],
  ["a".repeat(61), false],
])("a team's address %j: %s", (slug, isGood) => {
  expect(teamFormSchema.safeParse({ name: "Casa", slug }).success).toBe(isGood);
});

test("the name of a team suggests its address", () => {
  expect([
    proposedSlug("Casa da Rabeca"),
    proposedSlug("São João & Cia."),
    proposedSlug("!!!"),
  ]).toEqual(["casa-da-rabeca", "sao-joao-cia", ""]);
});

test("an invitation expires at its minute without a job", () => {
  const at = (status: "pending" | "accepted", now: number) =>
    invitationStatus({ status, expiresAt: 100 }, now);
  expect([at("pending", 99), at("pending", 100), at("accepted", 200)]).toEqual([
    "pending",
    "expired",
    "accepted",
  ]);
});

test("a name is stored as it is displayed", () => {
  expect(isNameTyped(" casa da  RABECA ", "Casa da Rabeca")).toBe(true);
  expect(isNameTyped("Sa\u0303o Joa\u0303o", "São João")).toBe(true);
  expect(isNameTyped("Casa", "Casa da Rabeca")).toBe(false);
});

test("a masked e-mail is recognisable to its owner", () => {
  expect(maskEmail("bruno@exemplo.test")).toBe("b•••@exemplo.test");
});
