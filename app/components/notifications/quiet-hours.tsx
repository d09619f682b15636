import { Card } from "#app/components/ui/card.tsx";
import { SelectField, TextField } from "#app/components/ui/fields/field.tsx";
import { clockOfMinute, TIME_ZONES } from "#app/domain/notifications/rules/quiet-hours.ts";
import type { NotificationHours } from "#app/domain/notifications/rules/quiet-hours.ts";

type QuietHoursProps = {
  hours: NotificationHours;
  problem?: { values: Record<string, string>; errors: Record<string, string> } | undefined;
};

/** The times during which emails wait. */
export function QuietHours({ hours: { timeZone, quiet }, problem }: QuietHoursProps) {
  const typed = problem?.values;
  return (
    <Card className="flex flex-col gap-4 p-5 sm:p-6">
      <h2 className="text-[1.125rem] leading-6">Horário de silêncio</h2>
      <p className="text-small text-muted">
        Nesse horário os avisos esperam e chegam quando ele termina. O que protege a sua conta ou o
        seu dinheiro chega na hora. Deixe vazio para não ter.
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Das"
          name="quietFrom"
          type="time"
          defaultValue={typed?.["quietFrom"] ?? (quiet ? clockOfMinute(quiet.fromMinute) : "")}
          error={problem?.errors["quietFrom"]}
        />
        <TextField
          label="Até as"
          name="quietUntil"
          type="time"
          defaultValue={typed?.["quietUntil"] ?? (quiet ? clockOfMinute(quiet.untilMinute) : "")}
          error={problem?.errors["quietUntil"]}
        />
      </div>
      <SelectField
        label="Fuso horário"
        name="timeZone"
        defaultValue={typed?.["timeZone"] ?? timeZone}
        error={problem?.errors["timeZone"]}
        options={Object.entries(TIME_ZONES).map(([value, label]) => ({ value, label }))}
      />
    </Card>
  );
}
