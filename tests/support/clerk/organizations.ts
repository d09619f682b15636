import type { OrganizationJSON, OrganizationMembershipJSON } from "@clerk/shared/types";
import { testClock } from "#tests/support/clock.ts";
import type { ClerkPerson } from "./json.ts";

const PERMISSIONS = [
  "org:sys_profile:manage",
  "org:sys_profile:delete",
  "org:sys_memberships:read",
  "org:sys_memberships:manage",
  "org:sys_billing:manage",
] as const;

/** A double of Clerk's organisations for its four screens. The creator becomes the admin. */
export function fakeOrganizations() {
  const memberships: OrganizationMembershipJSON[] = [];
  const membershipsOf = ({ id }: ClerkPerson) =>
    memberships.filter(({ public_user_data }) => public_user_data?.user_id === id);

  function create(person: ClerkPerson, name: string, slug: string): OrganizationJSON {
    const now = testClock.now();
    const organization: OrganizationJSON = {
      object: "organization",
      id: `org_${crypto.randomUUID().replaceAll("-", "")}`,
      image_url: "https://img.clerk.com/nobody",
      has_image: false,
      name,
      slug,
      public_metadata: {},
      created_at: now,
      updated_at: now,
      members_count: 1,
      pending_invitations_count: 0,
      admin_delete_enabled: true,
      max_allowed_memberships: 5,
    };
    memberships.push({
      object: "organization_membership",
      id: `orgmem_${organization.id}`,
      organization,
      permissions: [...PERMISSIONS],
      public_metadata: {},
      public_user_data: {
        first_name: person.firstName,
        last_name: person.lastName,
        image_url: "",
        has_image: false,
        identifier: person.email,
        user_id: person.id,
      },
      role: "org:admin",
      role_name: "Admin",
      created_at: now,
      updated_at: now,
    });
    return organization;
  }

  return {
    membershipsOf,
    answerTo(person: ClerkPerson, method: string, path: string, fields: URLSearchParams): object {
      const ofPerson = membershipsOf(person);
      if (path === "/organizations" && method === "POST")
        return create(person, fields.get("name") ?? "", fields.get("slug") ?? "");
      if (path === "/me/organization_memberships" || path.endsWith("/memberships"))
        return { data: ofPerson, total_count: ofPerson.length };
      if (path.endsWith("/roles"))
        return {
          data: [
            {
              object: "role",
              id: "role_1",
              key: "org:admin",
              name: "Admin",
              description: "",
              permissions: [],
              created_at: 0,
              updated_at: 0,
            },
          ],
          total_count: 1,
        };
      const organization = ofPerson
        .map((membership) => membership.organization)
        .find(({ id }) => path === `/organizations/${id}`);
      return organization ?? { data: [], total_count: 0 };
    },
  };
}
