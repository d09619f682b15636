import { Choices } from "#app/components/ui/fields/choice.tsx";
import { ROLE_LABELS, teamRoles } from "#app/domain/teams/rules/roles.ts";

/** Choice of a team member's role. */
export function RoleChoice({
  defaultValue,
  error,
}: {
  defaultValue: string | undefined;
  error: string | undefined;
}) {
  return (
    <Choices
      legend="O que a pessoa faz na equipe"
      name="role"
      options={teamRoles.map((role) => ({ value: role, ...ROLE_LABELS[role] }))}
      defaultValue={defaultValue ?? "basic_member"}
      error={error}
    />
  );
}
